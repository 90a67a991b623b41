import type { DnsAnswer } from './dns-records.ts';

// Finds the DMARC policy that receivers apply to a domain, by the tree walk of DMARCbis (draft-ietf-dmarc-dmarcbis,
// "DNS Tree Walk"). It needs no list of public suffixes, and finds what receivers of RFC 7489 §6.6.3 find.

export const dmarcPolicies = ['none', 'quarantine', 'reject'] as const;
export type DmarcPolicy = (typeof dmarcPolicies)[number];

/** A record, and what receivers do with forgeries of the domain because of it. */
type DmarcFinding = {
  readonly name: string;
  readonly value: string;
  readonly policy: DmarcPolicy;
};

/** A walk asks for eight names at most, so a domain of many labels costs receivers no more. */
const maxLabelsWalked = 7;

/** The domain's own name, then those above it. */
export function dmarcNamesOf(domain: string): readonly string[] {
  const labels = domain.split('.');
  const above = labels.slice(Math.max(1, labels.length - maxLabelsWalked));
  const parents = above.map((_, index) => above.slice(index).join('.'));
  return [domain, ...parents].map((one) => `_dmarc.${one}`);
}

/**
 * @param answers the texts under each of `dmarcNamesOf`, in that order.
 * @returns `unanswered` if DNS didn't answer, so there may be a record.
 */
export function findDmarc(
  names: readonly string[],
  answers: readonly DnsAnswer[],
): DmarcFinding | 'none' | 'unanswered' {
  const isOwnSilent = answers[0] === 'unanswered';
  const [own, ...above] = names.map((name, index) => recordAmong(name, answers[index]));
  if (own !== undefined) return { ...shown(own), policy: policyIn(own, 'p') ?? 'none' };
  const found = isOwnSilent ? undefined : organizationalAmong(above);
  if (found === undefined) return answers.includes('unanswered') ? 'unanswered' : 'none';
  return { ...shown(found), policy: policyIn(found, 'sp') ?? policyIn(found, 'p') ?? 'none' };
}

type DmarcRecord = {
  readonly name: string;
  readonly value: string;
  readonly tags: ReadonlyMap<string, string>;
};

const shown = ({ name, value }: DmarcRecord) => ({ name, value });

export const isDmarc = (text: string): boolean => /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/.test(text);

/** If there are several, receivers ignore them all. */
function recordAmong(name: string, texts: DnsAnswer = []): DmarcRecord | undefined {
  if (texts === 'unanswered') return undefined;
  const [value, ...others] = texts.filter(isDmarc);
  if (value === undefined || others.length > 0) return undefined;
  const tags = value.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at < 0 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]];
  });
  return { name, value, tags: new Map(tags.map(([tag = '', text = '']) => [tag, text])) };
}

/**
 * The organizational domain's record: the one that says so itself (`psd=n`), the one below a registry's (`psd=y`), or
 * the one nearest to the root.
 */
function organizationalAmong(above: readonly (DmarcRecord | undefined)[]): DmarcRecord | undefined {
  let nearestToRoot: DmarcRecord | undefined;
  for (const [index, record] of above.entries()) {
    if (record === undefined) continue;
    const psd = record.tags.get('psd')?.toLowerCase();
    if (psd === 'n') return record;
    if (psd === 'y') return above[index - 1] ?? record;
    nearestToRoot = record;
  }
  return nearestToRoot;
}

function policyIn({ tags }: DmarcRecord, tag: 'p' | 'sp'): DmarcPolicy | undefined {
  const text = tags.get(tag)?.toLowerCase();
  return dmarcPolicies.find((policy) => policy === text);
}
