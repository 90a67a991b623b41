import { describe, expect, it } from 'vitest';
import { authenticateManager } from '#shared/access/authenticate';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';

describe('authenticateManager', () => {
  it('answers the organization of a key that may manage it, and the key', async () => {
    const manager = buildManager();

    expect(await authenticateManager(manager.credential, manager)).toEqual(manager.caller);
  });

  it('refuses everybody else', async () => {
    expect(await refusalsOf(authenticateManager)).toEqual(allRefusals);
  });
});
