type EarlyPress = {
  /** Called right before hydration, because React handles presses from then on. */
  stop(): void;
  /** Reports what was typed and chosen, and repeats the last press, once the page can handle them. */
  repeat(): void;
};

declare global {
  interface Window {
    /** Set by the page's inline script, so that a press counts before the scripts are loaded. */
    earlyPress?: EarlyPress;
  }
}

/**
 * React keeps what was typed or chosen before hydration, but no component knows of it. The field gets its first state
 * back, which React notes, then the new one by the browser's own means, and reports it.
 */
const reportFields = [
  'for(const field of document.querySelectorAll("input,textarea")){const{value,defaultValue,checked,defaultChecked,type}=field;',
  'if(/^(checkbox|radio)$/.test(type)){if(checked!==defaultChecked&&(checked||type==="checkbox")){field.checked=!checked;field.click()}continue}',
  'if(value===defaultValue||!/^(text|search|email|password|tel|url|number)/.test(type))continue;field.value=defaultValue;',
  'Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field),"value").set.call(field,value);field.dispatchEvent(new Event("input",{bubbles:true}))}',
  'for(const list of document.querySelectorAll("select:has([selected])"))if(list.selectedOptions[0]?.defaultSelected===false)list.dispatchEvent(new Event("change",{bubbles:true}));',
].join('');

/**
 * A form without an address is sent by a script: the browser must not send it, and the press of its button, by Enter
 * too, is repeated. The other forms were sent by the browser.
 */
const keepButton = `button=target.closest("button");if(button?.form&&button.type==="submit"){if(button.form.hasAttribute("action"))button=null;else event.preventDefault()}`;

/** Runs in the page before any module. The press is repeated after React has rendered what was typed. */
export const keepEarlyPress = `{const stop=new AbortController;let button;window.earlyPress={stop:()=>stop.abort(),repeat(){delete window.earlyPress;${reportFields}setTimeout(()=>button?.isConnected&&button.click())}};addEventListener("click",event=>{const{target}=event;${keepButton}},{capture:true,signal:stop.signal})}`;
