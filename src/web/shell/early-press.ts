type EarlyPress = { button: HTMLButtonElement | null; stop(): void };

declare global {
  interface Window {
    /** Set by the page's inline script, so that a press counts before the scripts are loaded. */
    earlyPress?: EarlyPress;
  }
}

/** Runs in the page before any module; stores the last pressed button. */
export const keepEarlyPress = `{const stop=new AbortController;window.earlyPress={button:null,stop:()=>stop.abort()};addEventListener("click",({target})=>{window.earlyPress.button=target.closest("button")},{capture:true,signal:stop.signal})}`;

/** Called right before hydration, because React handles presses from then on. */
export function stopKeepingEarlyPress(): void {
  window.earlyPress?.stop();
}

/** Repeats the press once the page can handle it; forms of submit buttons were sent by the browser. */
export function repeatEarlyPress(): void {
  const { button } = window.earlyPress ?? {};
  delete window.earlyPress;
  if (button?.isConnected && !(button.form?.hasAttribute('action') && button.type === 'submit')) button.click();
}
