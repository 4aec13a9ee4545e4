import sanitizeHtml from 'sanitize-html';

/** Plenty for a logo. Pictures inside SVG would make it large, and are not allowed. */
export const maxSvgBytes = 100 * 1024;

const elements =
  'svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath title desc'.split(
    ' ',
  );
/** Attributes that draw, and CSS properties allowed in `style`. */
const presentation =
  'fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity opacity color display visibility clip-path clip-rule stop-color stop-opacity transform vector-effect paint-order'.split(
    ' ',
  );
const attributes = [
  ...presentation,
  ...'id viewBox width height version x y x1 y1 x2 y2 cx cy r rx ry fx fy d points offset gradientUnits gradientTransform spreadMethod clipPathUnits preserveAspectRatio'.split(
    ' ',
  ),
];
/** Elements that drawing programs add for themselves; dropped without a message. */
const isHarmless = (name: string) => /^(?:metadata|sodipodi:.*|inkscape:.*|rdf:.*|dc:.*|cc:.*)$/i.test(name);
const isHarmlessAttribute = (name: string) =>
  /^(?:xmlns(?::.*)?|xml:space|data-.*|class|style|enable-background|sodipodi:.*|inkscape:.*|role|aria-.*|focusable|overflow)$/i.test(
    name,
  );

const isSafeValue = (value: string) =>
  value.length < 60_000 &&
  !/[<>\\@{};]|javascript:|expression|data:/i.test(value) &&
  !/url\((?!\s*['"]?#[\w-]+['"]?\s*\))/i.test(value);

export type CleanSvg = { ok: true; svg: string; removed: string[] } | { ok: false; reason: 'not-svg' | 'too-large' };

/**
 * An SVG reduced to allowed elements and attributes: no scripts, styles, fonts or external content. Properties in
 * `style` attributes become attributes.
 * @returns names of what was removed, except editors' own metadata
 */
export function cleanSvg(source: string): CleanSvg {
  if (source.length > maxSvgBytes) return { ok: false, reason: 'too-large' };
  const removed = new Set<string>();
  const clean = sanitizeHtml(source, {
    parser: { xmlMode: true, decodeEntities: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    allowedTags: elements,
    allowedAttributes: { '*': attributes, svg: [...attributes, 'xmlns'] },
    selfClosing: [],
    nonTextTags: ['script', 'style', 'metadata', 'text', 'foreignObject', 'sodipodi:namedview'],
    disallowedTagsMode: 'discard',
    enforceHtmlBoundary: false,
    onOpenTag: (name, given) => {
      if (!elements.includes(name) && !isHarmless(name)) removed.add(name);
      for (const attribute of Object.keys(given))
        if (!attributes.includes(attribute) && !isHarmlessAttribute(attribute)) removed.add(attribute);
    },
    transformTags: {
      '*': (tagName, given) => {
        const kept: Record<string, string> = {};
        for (const [name, value] of [...Object.entries(given), ...declarationsOf(given['style'])]) {
          if (!attributes.includes(name)) continue;
          if (isSafeValue(value)) kept[name] = value;
          else removed.add(name);
        }
        if (tagName === 'svg') kept['xmlns'] = 'http://www.w3.org/2000/svg';
        return { tagName, attribs: kept };
      },
    },
  })
    .replace(/^[\s\S]*?(?=<svg[\s>])/, '')
    .trim();
  if (!/^<svg[\s>]/.test(clean) || !clean.endsWith('</svg>')) return { ok: false, reason: 'not-svg' };
  return { ok: true, svg: clean, removed: [...removed].toSorted() };
}

function declarationsOf(style: string | undefined): [string, string][] {
  return (style ?? '').split(';').flatMap((declaration) => {
    const [name = '', ...value] = declaration.split(':');
    const property = name.trim().toLowerCase();
    return presentation.includes(property) ? [[property, value.join(':').trim()] as [string, string]] : [];
  });
}
