/** A file to be saved by the browser. */
export function attachment(body: BodyInit, type: string, name: string): Response {
  return new Response(body, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  });
}
