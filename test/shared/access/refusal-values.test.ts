import { describe, expect, it } from 'vitest';
import { newRefusal } from '#shared/access/refusal';
import { parseFields } from '#shared/errors/field-error';
import { ServiceError } from '#shared/errors/service-error';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { endpointNames, endpointOf } from '../../../functions/routes.ts';

// Nothing that a caller sends may be in what is kept of its refused request. Each endpoint's example is sent with a
// secret in place of one value, or beside them under an unknown name.

const request = {
  apiKeyId: newApiKeyId(newOrganizationId()),
  route: 'POST /api/v1/emails/send',
  requestId: 'request-1',
};

/** What people and programs put into fields. Each has `zq`. */
const secrets = [
  'zqann@example.com',
  'Zq Ann <zqann@example.com>',
  'zq_live_4eC39HqLyjWDarjtT1zdp7dc',
  'https://zq.example/reset?token=zq',
  'zq 12 Main Street',
  'zqsecret',
  '"zqsecret"',
  '`zqsecret`',
  'zqsecret, zqother',
  '',
  7_123_477,
  -1.5,
  null,
  ['zqsecret'],
  { aName: 'zqsecret' },
  { 'zq@example.com': 'zqsecret' },
];

function* withSecrets(value: unknown): Generator<unknown> {
  yield* secrets;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of withSecrets(item)) yield value.with(index, changed);
    }
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, 'zq.ann@example.com': 'zqsecret', html: '<p>zqsecret</p>' };
    for (const [name, member] of Object.entries(value)) {
      for (const changed of withSecrets(member)) yield { ...value, [name]: changed };
    }
  }
}

const bodies = endpointNames.flatMap((name) => {
  const { body, words } = endpointOf(name);
  return body === undefined || words.example?.body === undefined
    ? []
    : [{ name, body, example: words.example.body }];
});

describe('what is kept of a refused request', () => {
  it.each(bodies)('to $name has no value of its body', ({ body, example }) => {
    let refused = 0;
    for (const sent of withSecrets(example)) {
      try {
        parseFields(body, sent);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        refused += 1;
        const kept = newRefusal(request, error, { status: 400, faults: error.errors ?? [] }, 1);
        const text = JSON.stringify([kept.message, kept.fields]);
        expect(text, JSON.stringify(sent)).not.toMatch(/zq|7123477|1\.5/i);
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});
