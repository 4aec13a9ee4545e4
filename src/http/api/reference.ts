import { createHash } from 'node:crypto';

type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
};
type Operation = {
  summary?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
};
type Description = {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
};

/** The OpenAPI description as one plain page without scripts or external files. */
export function referencePage(document: object): Response {
  const { info, servers, paths, components } = document as Description;
  const operations = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'Other'))];
  const body = `<main><h1>${escape(info.title)} <small>${escape(info.version)}</small></h1>
<p>${escape(info.description ?? '')} Base address: <code>${escape(servers?.[0]?.url ?? '')}</code>. The same as data: <a href="openapi.json">openapi.json</a>.
Every error answers <code>{ "error": { "code", "message" } }</code> with its status.</p>
${tags
  .map(
    (tag) =>
      `<h2>${escape(tag)}</h2>${operations
        .filter(({ operation }) => (operation.tags?.[0] ?? 'Other') === tag)
        .map(section)
        .join('')}`,
  )
  .join('')}
<h2>Shapes</h2>${Object.entries(components?.schemas ?? {})
    .map(([name, schema]) => `<h3 id="${escape(name)}">${escape(name)}</h3>${fields(schema)}`)
    .join('')}</main>`;
  const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#141012;color:#f7f0ea}main{max-width:60rem;margin:auto;padding:2rem 1.25rem}
a{color:#f5b48c}code{font-size:.9em}h3{margin:2rem 0 .5rem}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #4a4043;padding:.3rem .6rem .3rem 0;text-align:left;vertical-align:top}small{color:#afa19c}`;
  const hash = createHash('sha256').update(style).digest('base64');
  return new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(info.title)} reference</title><style>${style}</style></head><body>${body}</body></html>`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      },
    },
  );
}

function section({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const parameters = operation.parameters ?? [];
  const body = operation.requestBody?.content?.['application/json']?.schema;
  return `<section><h3><code>${method.toUpperCase()} ${escape(path)}</code></h3><p>${escape(operation.summary ?? '')}</p>
${parameters.length === 0 ? '' : `<table><tr><th>Parameter<th>In<th>Type<th>Meaning</tr>${parameters.map((parameter) => `<tr><td><code>${escape(parameter.name)}</code><td>${escape(parameter.in)}<td>${typeOf(parameter.schema)}<td>${escape(parameter.description ?? parameter.schema?.description ?? '')}`).join('')}</table>`}
${body === undefined ? '' : `<p>Body:</p>${fields(body)}`}
<table><tr><th>Status<th>Answer</tr>${Object.entries(operation.responses ?? {})
    .map(
      ([status, answer]) =>
        `<tr><td>${escape(status)}<td>${escape(answer.description ?? '')} ${typeOf(answer.content?.['application/json']?.schema)}`,
    )
    .join('')}</table></section>`;
}

function fields(schema: Schema): string {
  if (schema.properties === undefined) return `<p>${typeOf(schema)}</p>`;
  return `<table>${Object.entries(schema.properties)
    .map(
      ([name, field]) =>
        `<tr><td><code>${escape(name)}</code>${schema.required?.includes(name) ? '' : ' <small>optional</small>'}<td>${typeOf(field)}<td>${escape(field.description ?? '')}`,
    )
    .join('')}</table>`;
}

function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return '';
  if (schema.$ref !== undefined) {
    const name = escape(schema.$ref.split('/').at(-1) ?? '');
    return `<a href="#${name}">${name}</a>`;
  }
  if (schema.enum !== undefined) return schema.enum.map((value) => `<code>${escape(String(value))}</code>`).join(' ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.properties !== undefined)
    return `{ ${Object.entries(schema.properties)
      .map(([name, field]) => `${escape(name)}: ${typeOf(field)}`)
      .join(', ')} }`;
  return escape([schema.type].flat().join(' or ') + (schema.format === undefined ? '' : ` (${schema.format})`));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
