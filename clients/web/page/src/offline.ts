// Caches the pages for offline use, and announces newer ones.

import { announce } from "./dom";
import { texts } from "./texts";

/** Wait until the page has settled, so that caching does not delay the first run. */
const DELAY = 3000;

export function keepOffline(): void {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  addEventListener("load", () => setTimeout(register, DELAY));
}

function register(): void {
  const reload = () => location.reload();
  void navigator.serviceWorker
    .register(new URL("../sw.js", import.meta.url))
    .then((registration) => {
      const offer = () => {
        const waiting = registration.waiting;
        // On the first visit there is no older version to replace.
        if (!waiting || !navigator.serviceWorker.controller) return;
        announce(texts.offline.newer, {
          label: texts.offline.reload,
          run: () => {
            // Reload only after the new worker controls the page; otherwise old and new files would mix.
            navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
            waiting.postMessage("activate");
          },
        });
      };
      offer();
      registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
    })
    .catch(() => undefined);
}
