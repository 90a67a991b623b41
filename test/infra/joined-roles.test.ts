import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { capability } from '#shared/aws/capability';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { lambdaOf } from '../../infra/constructs/joined-roles.ts';

const keeps = capability(
  {
    environment: z.object({ KEPT_IN: z.string() }),
    readsSecrets: ['tokenSigningKey'],
    contents: { kept: ['Put'], waiting: ['Put'] },
    sendsEmail: true,
  },
  ({ KEPT_IN }) => KEPT_IN,
);

const drops = capability(
  { environment: z.object({ DROPS: z.stringbool() }), contents: { waiting: ['Put', 'Delete'] } },
  ({ DROPS }) => DROPS,
);

const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/kept',
    access: 'anybody',
    answers: { 204: { description: 'Nothing.' } },
    uses: { keeps, drops },
    lambda: {
      tableActions: ['GetItem'],
      environment: z.object({ OWN: z.string() }),
      readsSecrets: ['cronSecret', 'tokenSigningKey'],
    },
    words: { section: 'Reference', summary: 'Keep', description: 'Keeps.' },
  },
  async () => {},
);

const lambda = lambdaOf(endpoint);

describe("an endpoint's role", () => {
  it('allows what each of its capabilities needs, and what the endpoint does itself', () => {
    expect(lambda).toMatchObject({
      tableActions: ['GetItem'],
      readsSecrets: ['cronSecret', 'tokenSigningKey'],
      contents: { kept: ['Put'], waiting: ['Put', 'Delete'] },
      sendsEmail: true,
    });
  });

  it('has the variables of all of them', () => {
    expect(Object.keys(lambda.environment?.shape ?? {}).sort()).toEqual([
      'DROPS',
      'KEPT_IN',
      'OWN',
    ]);
  });
});
