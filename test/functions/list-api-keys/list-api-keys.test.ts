import { describe, expect, it } from 'vitest';
import { toApiKeyView } from '#shared/access/api-key-fields';
import { parseParameters } from '#shared/http/parse-request';
import { endpoint } from '../../../functions/list-api-keys/endpoint.ts';
import { listApiKeys } from '../../../functions/list-api-keys/list-api-keys.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const query = () => parseParameters(endpoint.query, { limit: '2' });

describe('listApiKeys', () => {
  it("answers a page of the manager's organization", async () => {
    const manager = buildManager();
    const { apiKey } = buildApiKey(manager);
    const apiKeyLists = {
      readPage: async (...args: readonly unknown[]) => {
        expect(args).toEqual([
          manager.organizationId,
          { before: undefined, limit: 2 },
          manager.now(),
        ]);
        return { apiKeys: [apiKey], next: undefined };
      },
    };

    const page = await listApiKeys(manager.credential, query, { ...manager, apiKeyLists });

    expect(page.apiKeys).toEqual([apiKey]);
  });

  it('reads nothing when the caller may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      listApiKeys(credential, query, {
        ...authentication,
        apiKeyLists: { readPage: unexpected('apiKeyLists.readPage') },
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});

describe('the response', () => {
  it('has neither the secret of a key nor its hash', () => {
    const { text, apiKey } = buildApiKey();

    const answer = endpoint.answers[200].body.parse({
      data: [toApiKeyView(apiKey, 1)],
      nextCursor: null,
    });

    expect(answer.data).toMatchObject([{ id: apiKey.id, status: 'active' }]);
    expect(JSON.stringify(answer)).not.toContain(apiKey.secretHash);
    expect(JSON.stringify(answer)).not.toContain(text.split('_').at(-1));
  });
});
