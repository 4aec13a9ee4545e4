import type Stripe from 'stripe';
import { describeInvoice } from './invoice-page.ts';

const left = 60;
const right = 535;
const top = 780;

/** One page of text in Helvetica, which every PDF reader includes. */
export function invoicePdf(invoice: Stripe.Invoice): Uint8Array<ArrayBuffer> {
  const { title, facts, lines, sums, note } = describeInvoice(invoice);
  const marks: string[] = [];
  let y = top;
  const put = (text: string, x: number, size: number) =>
    marks.push(`BT /F1 ${size} Tf ${x} ${y} Td (${pdfText(text)}) Tj ET`);
  put(title, left, 20);
  y -= 36;
  for (const [name, value] of facts) {
    put(`${name}: ${value}`, left, 11);
    y -= 16;
  }
  y -= 16;
  for (const [name, value] of [...lines, ...sums]) {
    put(name.slice(0, 80), left, 10);
    put(value, right - value.length * 5.6, 10);
    y -= 18;
  }
  y -= 12;
  put(note, left, 9);
  return assemble(marks.join('\n'));
}

/** Characters of the font's encoding; others become question marks. */
function pdfText(text: string): string {
  return text
    .replaceAll('×', 'x')
    .replaceAll(/[^\u0020-\u007e]/g, '?')
    .replaceAll(/[\\()]/g, (sign) => `\\${sign}`);
}

function assemble(content: string): Uint8Array<ArrayBuffer> {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}
