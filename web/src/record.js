// SPDX-License-Identifier: MIT
// A video of the picture, made by the browser.
// Those first that bear a picture whose size changes while it is recorded.
const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4;codecs=avc3', 'video/mp4'];

/** Starts; null where this browser cannot. `done` gets the video after stop(). */
export function makeRecorder(canvas, done) {
  if (typeof MediaRecorder !== 'function' || !canvas.captureStream) return null;
  const type = KINDS.find(kind => MediaRecorder.isTypeSupported(kind));
  try {
    const stream = canvas.captureStream(60);
    const recorder = new MediaRecorder(stream, {mimeType: type, videoBitsPerSecond: 12e6});
    const parts = [];
    recorder.bytes = 0;
    recorder.ondataavailable = ({data}) => {
      recorder.bytes += data.size;
      if (data.size) parts.push(data);
    };
    recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      done(new Blob(parts, {type: recorder.mimeType}));
    };
    recorder.start(500);
    return recorder;
  } catch {
    return null;
  }
}
