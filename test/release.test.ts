import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allowedLicences, bundledPackages, changesOf } from '../infra/release.ts';

describe('a release', () => {
  it('has no package in it whose licence asks for more than to be quoted', () => {
    const packages = bundledPackages(join(import.meta.dirname, '..'));

    const refused = packages.filter(({ licence }) => !allowedLicences.includes(licence));

    expect(packages.length).toBeGreaterThan(0);
    expect(refused).toEqual([]);
  });

  it.each([
    ['1.0.0', '[1.0.0] - 2026-11-23\n\n- A change.'],
    ['1.1.0', undefined],
    ['1.2.0', undefined],
  ])('takes the changes of %s from a part of its own, with a date', (version, expected) => {
    const changelog =
      '# C\n\n## [Unreleased]\n\n## [1.1.0]\n\n- New.\n\n## [1.0.0] - 2026-11-23\n\n- A change.\n';

    expect(changesOf(version, changelog)).toBe(expected);
  });
});
