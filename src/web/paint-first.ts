import type { HtmlPiece } from './keep-html.tsx';
import { keepEarlyPress } from './shell/early-press.ts';

const preload = /<link rel="modulepreload"[^>]*? href="([^"]+)"[^>]*>/g;
/** Otherwise Zod tries `new Function`, which the page's policy blocks and browsers report. */
const setUpZod = '__zod_globalConfig={jitless:true};';
/** In the router’s own script: with cookies blocked, this throws once more. */
const forgetPlaces = /console\.error\(\w+\)[;,]\s*sessionStorage\.removeItem\(\w+\);?/;
const waitingId = 'first-module';
const moduleScript = /<script([^>]*) type="module"([^>]*>[^]*?<\/script>)/;

/** Milliseconds that the scripts wait for the pictures of the first view, unless the page is pressed before. */
const picturesWait = 1000;

/**
 * Lets the page appear before its scripts load: the preloads of the head and the module wait until an inline script has
 * seen that there is something to see, with the pictures of the first view, which are the ones that do not load lazily.
 * Loading them earlier would compete with styles, fonts and those pictures, and running them would delay that frame. A
 * page opened in the background has no frame to wait for.
 */
export function paintFirst(pieces: HtmlPiece[], nonce: string): HtmlPiece[] {
  const paths: string[] = [];
  const without = pieces.map((piece) =>
    typeof piece === 'string'
      ? piece
          .replaceAll(preload, (_, path: string) => {
            paths.push(path);
            return '';
          })
          .replace(forgetPlaces, '')
      : piece,
  );
  const script = `<script nonce="${nonce}">${setUpZod}${keepEarlyPress}{${startScripts(paths)}document.hidden?start():requestAnimationFrame(()=>setTimeout(startAfterPaint))}</script>`;
  return without.map((piece) =>
    typeof piece === 'string'
      ? // Browsers do not run scripts of an unknown type.
        piece.replace(
          moduleScript,
          (_, before: string, after: string) => `<script${before} type="text/plain" id="${waitingId}"${after}${script}`,
        )
      : piece,
  );
}

/**
 * In steps, because all in one task would block the page for longer: preloads are added four at a time, and the largest
 * files run one by one before the module.
 */
function startScripts(paths: string[]): string {
  const large = paths.filter((path) => /\/(?:react|site)-[\w-]+\.js$/.test(path));
  return [
    'const wait=time=>new Promise(go=>setTimeout(go,time)),start=async()=>{let added=0;',
    `for(const href of ${JSON.stringify(paths)}){document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href}));if(++added%4==0)await wait()}`,
    `for(const path of ${JSON.stringify(large)}){await import(path).catch(()=>{});await wait()}`,
    `const waiting=document.getElementById("${waitingId}");`,
    'waiting.replaceWith(Object.assign(document.createElement("script"),{type:"module",async:true,text:waiting.text}))},',
    // In the frame after next, what is complete now has been painted.
    'painted=new Promise(go=>new PerformanceObserver(list=>list.getEntriesByName("first-contentful-paint")[0]&&go()).observe({type:"paint",buffered:true})),',
    'frames=()=>new Promise(go=>requestAnimationFrame(()=>requestAnimationFrame(()=>setTimeout(go)))),',
    'pictures=()=>Promise.all([...document.images].map(picture=>picture.loading=="lazy"||picture.complete||new Promise(go=>picture.onload=picture.onerror=go))),',
    'startAfterPaint=()=>Promise.race([',
    'painted.then(pictures).then(frames),',
    `new Promise(go=>addEventListener("pointerdown",go,{once:true})),wait(${picturesWait})]).then(start);`,
  ].join('');
}
