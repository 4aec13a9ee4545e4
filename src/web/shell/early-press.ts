import { reportFields } from '../ui/fields/report-fields.ts';

type EarlyPress = {
  /** Called right before hydration, because React handles presses from then on. */
  stop(): void;
  /** Repeats the last press. */
  repeat(): void;
};

declare global {
  interface Window {
    /** Set by the page's inline script, so that a press counts before the scripts are loaded. */
    earlyPress?: EarlyPress;
  }
}

/**
 * A form without an address is sent by a script: the browser must not send it, and the press of its button, by Enter
 * too, is repeated. The other forms were sent by the browser.
 */
const keepButton = `button=target.closest("button,[data-keep-press]");if(button?.form&&button.type==="submit"){if(button.form.hasAttribute("action"))button=null;else event.preventDefault()}`;

/** A link that opens a modal waits for it; with a modifier key it opens a tab or a window. */
const keepLink = `if(button?.href){if(event.metaKey||event.ctrlKey||event.shiftKey||event.altKey)button=null;else event.preventDefault()}`;

/** Runs in the page before any module. */
export const keepEarlyPress = `{const stop=new AbortController;let button;window.earlyPress={stop:()=>stop.abort(),repeat(){button?.isConnected&&button.click()}};addEventListener("click",event=>{const{target}=event;${keepButton}${keepLink}},{capture:true,signal:stop.signal})}`;

/** Reports what was typed and chosen, then repeats the last press, once the page can handle them. */
export function repeatEarlyPress(): void {
  const press = window.earlyPress;
  if (press === undefined) return;
  delete window.earlyPress;
  reportFields(document);
  // After React has rendered what was typed.
  setTimeout(() => press.repeat());
}
