// The texts as printed (front matter, lines, stanzas) and as a synthesiser has to get them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './folders.mjs';

const respelled = JSON.parse(readFileSync(join(makeFolder, 'pronunciation.json'), 'utf8'));

/** Front matter fields and the stanzas, each a list of lines with their spaces trimmed. */
export function readText(path) {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(readFileSync(path, 'utf8').replace(/\r/g, ''));
  const fields = Object.fromEntries(
    head.split('\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
  const stanzas = body
    .split(/\n\s*\n/)
    .map((stanza) =>
      stanza
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    )
    .filter((stanza) => stanza.length > 0);
  return { fields, stanzas };
}

const numerals = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
const numbers = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

// Apostrophes that belong to the word are tried before those that turn out to be quotation marks.
function say(word) {
  const lower = word.toLowerCase();
  const bare = word.replace(/^'+|'+$/g, '');
  const known = respelled[lower] ?? respelled[lower.replace(/^'+/, '')] ?? respelled[bare.toLowerCase()];
  if (known) return known;
  // The past tense of old spelling: pass'd, dream'd, but not I'd or they'd.
  if (/^[a-zà-ÿ]{3,}'d$/i.test(bare) && !/^(they|who|you|she|that|there|how)'d$/i.test(bare))
    return bare.replace(/'d$/, 'ed');
  return bare.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

/** One printed line as words and plain stops; only English has old spellings to resolve. */
function spoken(line, language) {
  const isEnglish = language === 'en';
  const heading = numerals.indexOf(line.replace('.', ''));
  if (isEnglish && heading >= 0) return `${numbers[heading]}.`;
  return line
    .replace(/[“”"_*«»¡¿]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/…/g, '...')
    .replace(/\s*(—|–|--)\s*/g, ', ')
    .replace(/[()[\]]/g, ', ')
    .replace(/[A-Za-zÀ-ÿ']+/g, (word) => (isEnglish ? say(word) : word.replace(/'$/, '')))
    .replace(/œ/g, 'oe')
    .replace(/(^|\s),+/g, '$1')
    .replace(/,(\s*[,.;:!?])/g, '$1')
    .replace(/([,;:])(\s*,)+/g, '$1')
    .replace(/([.!?]),/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.;:!?])/g, '$1')
    .trim();
}

// Long prose is cut at sentence ends, then at the stops inside a sentence, so that no utterance runs out of breath.
function utterances(text) {
  const sentences = text.match(/[^.!?]+(?:[.!?]+['”’]?|$)\s*/g) ?? [text];
  return sentences
    .flatMap((sentence) =>
      sentence.length < 150
        ? [sentence]
        : (sentence.match(/[^;:,]{30,}?(?:[;:]\s|,\s(?=.{40})|$)|[^;:,]+.*?(?:[;:]\s|$)/g) ?? [sentence]),
    )
    .map((part) => part.trim())
    .filter((part) => /\p{L}/u.test(part));
}

const pauses = { none: 0.3, ',': 0.4, ';': 0.5, ':': 0.5, '.': 0.58, '!': 0.58, '?': 0.62 };

/**
 * Lists the parts to speak, in order: { text, line (index of the printed line), pause (seconds after it), stanzaEnd }.
 * A line without a stop gets a comma: the sentence goes on in the next one, so the voice must not fall.
 */
export function script({ stanzas }, language = 'en') {
  const lines = [];
  const parts = [];
  for (const [s, stanza] of stanzas.entries()) {
    for (const [l, printed] of stanza.entries()) {
      const last = l === stanza.length - 1;
      const said = utterances(spoken(printed, language));
      for (const [u, text] of said.entries()) {
        const stop = /[,;:.!?]$/.exec(text)?.[0];
        const end = last && u === said.length - 1;
        parts.push({
          text: stop ? text : `${text}${end ? '.' : ','}`,
          line: lines.length,
          stanza: s,
          place: stanza.length > 1 ? l / (stanza.length - 1) : said.length > 1 ? u / (said.length - 1) : 0.5,
          // Inside a printed line the voice stops for less than at its end.
          pause: end ? 1.1 : pauses[stop ?? 'none'] * (u < said.length - 1 ? 0.75 : 1),
          stanzaEnd: end,
        });
      }
      lines.push(printed);
    }
  }
  return { lines, parts };
}
