import {
  changeTimeOf,
  type Identity,
  type IdentityPlace,
  placeOf,
  type SendingIdentity,
  shortestPauseMs,
  type WantedIdentity,
} from './identity.ts';

export const noIdentityOf = (place: IdentityPlace): Identity => ({
  ...placeOf(place),
  removing: [],
  updatedAt: 0,
});

/** The organization deleted it, or was deleted. */
export const withoutWanted = (
  before: Identity,
  sending: SendingIdentity | undefined,
  now: number,
): Identity => ({
  ...placeOf(before),
  removing: [
    ...new Set([
      ...before.removing,
      ...(before.wanted === undefined ? [] : [before.wanted.domain]),
      ...(sending === undefined ? [] : [sending.domain]),
    ]),
  ],
  nextCheckAt: now + shortestPauseMs,
  updatedAt: changeTimeOf(before, now),
});

/** The organization deleted the domain that was to replace the one in use. */
export const withoutReplacement = (
  before: Identity,
  used: WantedIdentity,
  now: number,
): Identity => ({ ...withoutWanted(before, undefined, now), wanted: used });

/** The domain has left SES. `undefined` when nothing is left to keep. */
export function withoutRemoved(
  before: Identity,
  domain: string,
  now: number,
): Identity | undefined {
  const removing = before.removing.filter((one) => one !== domain);
  const { wanted } = before;
  if (wanted === undefined && removing.length === 0) return undefined;
  const isGivenUp = wanted?.domain === domain;
  return {
    ...placeOf(before),
    ...(wanted !== undefined && { wanted: { ...wanted, ...(isGivenUp && { isGivenUp }) } }),
    removing,
    // If there is nothing left to ask about, the next check is the last.
    ...(before.nextCheckAt !== undefined && { nextCheckAt: before.nextCheckAt }),
    updatedAt: changeTimeOf(before, now),
  };
}
