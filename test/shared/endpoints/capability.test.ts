import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { capability } from '#shared/aws/capability';
import { openServiceFor } from '#shared/endpoints/open-function';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

it('opens each capability with its own variables', ({ onTestFinished }) => {
  const variables = { OWN: 'own', KEPT_IN: 'bucket', DROPS: 'true' };
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
  const uses = {
    keeps: capability({ environment: z.object({ KEPT_IN: z.string() }) }, (given) => given),
    drops: capability({ environment: z.object({ DROPS: z.stringbool() }) }, (given) => given),
    nothing: capability({}, (given) => given),
  };
  const lambda = { tableActions: [], environment: z.object({ OWN: z.string() }) };

  expect(openServiceFor({ lambda, uses }, openMemoryTable().table)).toMatchObject({
    keeps: { KEPT_IN: 'bucket' },
    drops: { DROPS: true },
    nothing: {},
  });
});
