import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { allowedLicences, bundledPackages, changesOf, sbomOf } from '../infra/release.ts';

const root = join(import.meta.dirname, '..');
const packages = await bundledPackages(root);

const licenceShape = z.union([
  z.object({ license: z.object({ id: z.string() }) }).transform(({ license }) => license.id),
  z.object({ expression: z.string() }).transform(({ expression }) => expression),
]);
const componentsShape = z.array(
  z.object({ name: z.string(), version: z.string(), licenses: z.tuple([licenceShape]) }),
);

describe('a release', () => {
  it('has an SBOM of each bundled package, with its version and licence, and of nothing else', () => {
    const { metadata, components, dependencies } = sbomOf(root, packages);

    const listed = componentsShape
      .parse(components)
      .map(({ name, version, licenses: [licence] }) => `${name} ${version} ${licence}`);
    const bundled = packages.map(({ name, version, licence }) => `${name} ${version} ${licence}`);
    expect(listed.toSorted()).toEqual([...new Set(bundled)].toSorted());
    // `manage` of the npm package has it, and only development asks for it.
    expect(listed).toContainEqual(expect.stringMatching(/^commander /));
    const { component } = metadata;
    expect(component.name).toBe('transactional-email-service');
    const known = [component, ...components].map((one) => one['bom-ref']);
    expect(dependencies.map(({ ref }) => ref).toSorted()).toEqual(known.toSorted());
    const required = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect([...required, component['bom-ref']].toSorted()).toEqual(known.toSorted());
  });

  it('has no package in it whose licence asks for more than to be quoted', () => {
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
