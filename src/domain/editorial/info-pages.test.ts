import { expect, test } from 'vitest';
import { infoPageNames, loadInfoPages } from './info-pages.ts';

test('each page says who runs the site, whatever their name is made of', async () => {
  const pages = await loadInfoPages({
    name: 'Hush & *Co*',
    operator: { name: 'A <b>B</b> [Ltd](javascript:x)', address: '1 Long Lane; Anytown', email: 'a+b@c.example' },
  });
  for (const name of infoPageNames) {
    expect(pages[name].html).toContain('A &lt;b&gt;B&lt;/b&gt; [Ltd](javascript:x)<br />1 Long Lane<br />Anytown');
    expect(pages[name].html).toContain('href="mailto:a+b@c.example"');
    expect(pages[name].html + pages[name].description).not.toMatch(/\{\w+\}|&#\d+;/);
  }
  expect(pages.about.html).toContain('Hush &amp; *Co*');
});

test('where the operator said nothing, that is what it says; figures are told to leave only where they do', async () => {
  const at = await loadInfoPages({ name: 'Sotto' });
  expect(at.privacy.html).toContain('has not entered a name and an address yet');
  expect(at.privacy.html).toContain('They stay on this server.');
  const forwarding = await loadInfoPages({ name: 'Sotto', isForwarding: true });
  expect(forwarding.privacy.html).toContain('passed on, by our server');
});
