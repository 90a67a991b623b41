import { describe, expect, it } from 'vitest';
import type { ApiKey } from '#shared/access/api-key';
import { latestMoment } from '#shared/timing/day';
import {
  endpoint,
  endpoint as listApiKeys,
} from '../../../functions/list-api-keys/list-api-keys.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { surroundings } from '../../support/surroundings.ts';

/** The answer with a page of one key. */
async function list(manager: ReturnType<typeof buildManager>, apiKey: ApiKey) {
  const apiKeys = {
    readPage: async (...args: readonly unknown[]) => {
      expect(args).toEqual([
        manager.organizationId,
        { before: undefined, limit: 2 },
        manager.now(),
      ]);
      return { apiKeys: [apiKey], next: undefined };
    },
  };
  const request = { caller: manager.caller, query: endpoint.query.parse({ limit: '2' }) };
  return endpoint.answers[200].body.parse(
    await listApiKeys.run({ ...surroundings, ...request }, { now: manager.now, apiKeys }),
  );
}

describe('listApiKeys', () => {
  it("returns a page of the organization's keys, without their secrets and hashes", async () => {
    const manager = buildManager();
    const { text, apiKey } = buildApiKey(manager);

    const page = await list(manager, apiKey);

    expect(page).toMatchObject({ data: [{ id: apiKey.id, status: 'active' }], nextCursor: null });
    expect(JSON.stringify(page)).not.toContain(apiKey.secretHash);
    expect(JSON.stringify(page)).not.toContain(text.split('_').at(-1));
  });

  it('shows a key with an impossible expiry date as valid until the last possible one', async () => {
    const manager = buildManager();
    const { organizationId } = manager;
    const { apiKey } = buildApiKey({ organizationId, validUntil: Number.MAX_SAFE_INTEGER });

    const page = await list(manager, apiKey);

    expect(page.data).toMatchObject([{ validUntil: latestMoment }]);
  });
});
