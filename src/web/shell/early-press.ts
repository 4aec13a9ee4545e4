type EarlyPress = {
  button: HTMLButtonElement | null;
  stop(): void;
  /** Reports what was typed, once React listens. */
  reportTyped(): void;
};

declare global {
  interface Window {
    /** Set by the page's inline script, so that a press counts before the scripts are loaded. */
    earlyPress?: EarlyPress;
  }
}

/**
 * React keeps a text that was typed before hydration, but no component knows of it. The field gets its first value back,
 * which React notes, then the text by the browser's own setter, and reports it.
 */
const reportTyped = `for(const field of document.querySelectorAll("input,textarea")){const{value,defaultValue,type}=field;if(value===defaultValue||!/^(text|search|email|password|tel|url|number)/.test(type))continue;field.value=defaultValue;Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field),"value").set.call(field,value);field.dispatchEvent(new Event("input",{bubbles:true}))}`;

/** Runs in the page before any module; stores the last pressed button. */
export const keepEarlyPress = `{const stop=new AbortController;window.earlyPress={button:null,stop:()=>stop.abort(),reportTyped(){${reportTyped}}};addEventListener("click",({target})=>{window.earlyPress.button=target.closest("button")},{capture:true,signal:stop.signal})}`;

/** Called right before hydration, because React handles presses from then on. */
export function stopKeepingEarlyPress(): void {
  window.earlyPress?.stop();
}

/** Reports typed texts and repeats the press once the page can handle them; submit buttons’ forms were sent by the browser. */
export function repeatEarlyPress(): void {
  const { button, reportTyped: report } = window.earlyPress ?? {};
  report?.();
  delete window.earlyPress;
  if (button?.isConnected && !(button.form?.hasAttribute('action') && button.type === 'submit')) button.click();
}
