// SPDX-License-Identifier: MIT
// Keeps the page for when there is no net. The build fills in what there is, and a version that changes with it.
const FILES = __FILES__;
const CACHE = 'ondine-' + __VERSION__;

self.addEventListener('install', event => event.waitUntil(
  caches.open(CACHE).then(cache => cache.addAll(FILES)).then(() => self.skipWaiting())));

self.addEventListener('activate', event => event.waitUntil(
  caches.keys().then(names => Promise.all(names.filter(name => name.startsWith('ondine-') && name !== CACHE).map(name => caches.delete(name))))
    .then(() => self.clients.claim())));

// The net first for the page itself, so that a new one is seen; the rest belongs to it.
self.addEventListener('fetch', event => {
  const address = new URL(event.request.url);
  if (event.request.method !== 'GET' || address.origin !== self.location.origin) return;
  const kept = () => caches.match(event.request, {ignoreSearch: true, cacheName: CACHE});
  event.respondWith(event.request.mode === 'navigate'
    ? fetch(event.request).catch(() => kept().then(page => page ?? caches.match('./', {cacheName: CACHE})))
    : kept().then(file => file ?? fetch(event.request)));
});
