import { describe, expect, it } from 'vitest';
import { presentedCredential } from '#shared/http/credential';

describe('presentedCredential', () => {
  it.each(['Bearer key-1', 'bearer key-1', 'BEARER key-1', 'Bearer   key-1', 'Bearer key-1 '])(
    'reads the key from "Authorization: %s"',
    (authorization) => {
      expect(presentedCredential({ authorization })).toBe('key-1');
    },
  );

  it('reads the key from x-api-key', () => {
    expect(presentedCredential({ 'x-api-key': 'key-1' })).toBe('key-1');
  });

  it('prefers Authorization to x-api-key', () => {
    const headers = { authorization: 'Bearer key-1', 'x-api-key': 'key-2' };

    expect(presentedCredential(headers)).toBe('key-1');
  });

  it('answers undefined when there is neither header', () => {
    expect(presentedCredential({ accept: '*/*' })).toBeUndefined();
  });

  it.each(['', 'Basic a2V5LTE6', 'Bearer', 'Bearer key-1 key-2', 'key-1'])(
    'presents "Authorization: %s" as it is, so that it is refused and not taken for no key',
    (authorization) => {
      expect(presentedCredential({ authorization, 'x-api-key': 'key-2' })).toBe(authorization);
    },
  );
});
