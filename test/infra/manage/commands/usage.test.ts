import { expect, it } from 'vitest';
import { endpoint } from '../../../../functions/get-usage/get-usage.ts';
import { fakeFetch, manage, twin } from '../../../support/manage-builder.ts';

const { example } = endpoint.answers[200];

const show = async (body: object) => {
  const { fetch } = fakeFetch({ body });
  const { output } = await manage('usage', { ...twin, fetch });
  return output;
};

it('usage ends with what the month costs, its forecast and the use of today', async () => {
  const output = await show(example);

  expect(output).toMatch(
    /^Cost of 2026-11 so far +about \$14\.77: SES \$0\.02, service \$0\.00, fixed \$14\.75$/m,
  );
  expect(output).toMatch(/^Forecast +about \$14\.78 for the whole month$/m);
  expect(output).toMatch(/^Recipients today +12 of 50000$/m);
});

it('usage has no forecast on the first day, and no limit if none is known', async () => {
  const output = await show({
    ...example,
    cost: { ...example.cost, forecast: null },
    quota: { recipients: 12, recipientsPerDay: null },
  });

  expect(output).not.toContain('Forecast');
  expect(output).toMatch(/^Recipients today +12 of any number$/m);
});

it('usage of other periods says nothing of costs', async () => {
  const { cost: _cost, quota: _quota, ...others } = example;

  expect(await show(others)).not.toMatch(/Cost|Recipients today/);
});
