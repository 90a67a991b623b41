import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { clientTypes } from '../../../infra/openapi/client-types.ts';
import { describeService } from '../../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../../infra/openapi/endpoints.ts';

it('is what the console is typed by: npm run openapi -- functions/show-console/app/api-types.ts', async () => {
  const types = clientTypes(describeService(routedEndpoints));

  const written = await readFile('functions/show-console/app/api-types.ts', 'utf8');

  expect(written).toBe(types);
});
