import { expect, test } from 'vitest';
import { createTestStandIns } from '../test/test-stand-ins.ts';

test('sales, postbacks on their way, disorder and credentials survive a restart', async () => {
  const { standIns, received, answers, clock, reopen } = await createTestStandIns();
  const { credentials } = standIns;
  const create = async ({ url }: { url: string }) => {
    // oxlint-disable-next-line no-restricted-globals -- of tests
    const response = await fetch(`${url}/api/v1/stores/${credentials.btcpay.storeId}/invoices`, {
      method: 'POST',
      headers: { authorization: `token ${credentials.btcpay.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 5, currency: 'EUR', metadata: { orderId: 'order-1' } }),
    });
    return (await response.json()) as { id: string };
  };
  const { id } = await create(standIns);
  answers.push({ status: 503, body: '' }, { status: 503, body: '' });
  await standIns.sales.pay(id);
  await standIns.setDisorder({ duplicates: true });
  expect(received).toHaveLength(2);

  const again = await reopen();
  expect(again.credentials).toEqual(credentials);
  expect(await again.sales.find('btcpay', 'order-1')).toMatchObject({ id, status: 'waiting' });
  clock.pass(10_000);
  await again.tick();
  const types = received.splice(2).map(({ body }) => (JSON.parse(body) as { type: string }).type);
  expect(types).toEqual(['InvoiceReceivedPayment', 'InvoiceReceivedPayment', 'InvoiceProcessing', 'InvoiceProcessing']);
});
