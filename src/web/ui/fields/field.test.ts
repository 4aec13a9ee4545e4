import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Field } from './field.tsx';
import { TextArea } from './text-area.tsx';

const shown = (props: object) => renderToStaticMarkup(createElement(Field, { label: 'Code', ...props }));

test('a field with a limit counts what is typed, without being told', () => {
  expect(shown({ maxLength: 100, value: 'SUMMER', onChange() {} })).toContain('>6 / 100<');
  expect(shown({ maxLength: 100, length: 3 })).toContain('>3 / 100<');
  expect(shown({ value: 'SUMMER', onChange() {} })).not.toContain(' / ');
});

test('a counter writes thousands as every other number', () => {
  const area = createElement(TextArea, { label: 'Text', maxLength: 20_000, value: 'a'.repeat(1204), onChange() {} });
  expect(renderToStaticMarkup(area)).toContain('>1,204 / 20,000<');
});
