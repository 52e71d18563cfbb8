// SPDX-License-Identifier: MIT
// Keeps the page for when there is no net. The build fills in what there is, and a version that changes with it. A page
// and what it loads later are always of one version: a new one waits until no page of the old one is open.
const FILES = __FILES__;
const CACHE = 'ondine-' + __VERSION__;

// Past the browser's own cache, which may still hold files of the version before.
self.addEventListener('install', event => event.waitUntil(
  caches.open(CACHE).then(cache => cache.addAll(FILES.map(file => new Request(file, {cache: 'reload'}))))));

self.addEventListener('activate', event => event.waitUntil(
  caches.keys().then(names => Promise.all(names.filter(name => name.startsWith('ondine-') && name !== CACHE).map(name => caches.delete(name))))));

self.addEventListener('fetch', event => {
  const address = new URL(event.request.url);
  if (event.request.method !== 'GET' || address.origin !== self.location.origin) return;
  const file = address.origin + address.pathname.replace(/\/index\.html$/, '/'); // hosts may redirect the longer name
  event.respondWith(caches.match(file, {cacheName: CACHE}).then(kept => kept ?? fetch(event.request)));
});
