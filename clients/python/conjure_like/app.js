// The app of a model in a notebook cell: the program's page, in a frame without access to the notebook. The page
// reports what the user enters and finds; when it is displayed again, it gets the earlier entries back.

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-forms allow-modals");
  frame.setAttribute("title", "App");
  frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0`;
  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow || !data?.essence) return;
    const told = model.get("_told");
    if (data.isFirst && told.data) {
      frame.contentWindow.postMessage({ essence: told }, "*");
      return;
    }
    model.set("_told", data.essence);
    model.save_changes();
  };
  const show = ({ page }) => {
    if (!frame.srcdoc) frame.srcdoc = page;
  };
  window.addEventListener("message", hear);
  model.on("msg:custom", show);
  el.append(frame);
  model.send({ wants: "page" });
  return () => {
    window.removeEventListener("message", hear);
    model.off("msg:custom", show);
  };
}

export default { render };
