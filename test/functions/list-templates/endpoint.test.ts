import { expect, it } from 'vitest';
import { answer } from '#shared/endpoints/serve';
import { openRequestLog } from '#shared/observability/request-log';
import { endpoint } from '../../../functions/list-templates/list-templates.ts';

it('GET /api/v1/templates shows nothing undeclared', () => {
  const { example } = endpoint.answers[200];
  const data = example.data.map((template) => ({ ...template, publishedAt: 1_750_000_000_000 }));

  const { body } = answer(endpoint, { ...example, data }, openRequestLog({}));

  expect(JSON.parse(body ?? '')).toEqual(example);
});
