// Keeps the pages for use without a network, and says when there are newer ones.

import { announce } from "./dom";
import { texts } from "./texts";

/** Fetching everything waits until the page has settled, so that it does not delay the first run. */
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
        if (!waiting || !navigator.serviceWorker.controller) return;
        announce(texts.offline.newer, {
          label: texts.offline.reload,
          run: () => {
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
