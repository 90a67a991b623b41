import { describe, expect, it } from 'vitest';
import { feedbackIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { signToken } from '#shared/tokens/signed-token';
import {
  readClickToken,
  readOpenToken,
  signClickToken,
  signOpenToken,
} from '#shared/tracking/tracking-token';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { newSendId } from '../../support/send-builder.ts';

const keyring = buildKeyring();
const feedbackId = feedbackIdOf(newSendId(newOrganizationId()));

describe('a click token', () => {
  it.each(['https://example.com/', 'https://example.com/?q=a b c', 'https://example.com/#ü'])(
    'gives back its send and where it leads: %s',
    (destination) => {
      const token = signClickToken(keyring, feedbackId, destination);

      expect(readClickToken(keyring, token)).toEqual({ feedbackId, destination });
    },
  );

  it.each([
    ['no destination', `${feedbackId} `],
    ['no send', 'https://example.com/'],
    ['another send than one of ours', 'fbk_1 https://example.com/'],
  ])('that names %s leads nowhere', (_what, payload) => {
    expect(readClickToken(keyring, signToken(keyring, 'click', payload))).toBeUndefined();
  });
});

describe('an open token', () => {
  it('gives back its send', () => {
    expect(readOpenToken(keyring, signOpenToken(keyring, feedbackId))).toBe(feedbackId);
  });

  it('that names another thing is none', () => {
    expect(readOpenToken(keyring, signToken(keyring, 'open', 'fbk_1'))).toBeUndefined();
  });

  it('is no token of a click, nor the other way round', () => {
    expect(readClickToken(keyring, signOpenToken(keyring, feedbackId))).toBeUndefined();
    expect(
      readOpenToken(keyring, signClickToken(keyring, feedbackId, 'https://example.com/')),
    ).toBeUndefined();
  });
});
