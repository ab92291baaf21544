// Caches all files of one build together, so that the pages work offline. The build defines FILES, VERSION and LATER
// (files that are cached only after they have been loaded).

declare const FILES: string[];
declare const LATER: string[];
declare const VERSION: string;
declare const self: ServiceWorkerGlobalScope;

const CACHE = `essence-${VERSION}`;

self.addEventListener("install", (event) => {
  // `no-cache` revalidates with the server, so that an older copy of the browser is not used.
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })))));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name.startsWith("essence-") && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(old());
});

self.addEventListener("message", (event) => {
  if (event.data === "activate") void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  // Queries and fragments are for the scripts of a page; its file is the same.
  url.search = "";
  url.hash = "";
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  event.respondWith(answer(event.request, url.href));
});

async function answer(request: Request, url: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(url);
  if (kept) return kept;
  const response = await fetch(request);
  if (LATER.some((file) => url.endsWith(file)) && response.ok) await cache.put(url, response.clone());
  return response;
}

export {};
