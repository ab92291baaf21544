/** Debounces an action: it runs when it was not requested again for a while. */
export function delayed(milliseconds: number, action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
