import { describe, expect, it } from 'vitest';
import { changeTemplate } from '#shared/templates/change-template';
import type { Template } from '#shared/templates/template';
import type { WriteOutcome } from '#shared/templates/template-store';
import { organizationIdOf, type TemplateId } from '#shared/tokens/resource-id';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplate } from '../../support/template-builder.ts';
import { fakeTemplateStore } from '../../support/template-store-builder.ts';

type Scenario = {
  readonly ifMatch?: string;
  /** What each attempt to write comes to. */
  readonly outcomes: readonly WriteOutcome[];
  /** What stands there at each attempt; the last one stays. */
  readonly versions?: readonly (Template | undefined)[];
};

const template = buildTemplate();

const ofTemplate = (id: TemplateId, ifMatch?: string) => ({
  caller: { organizationId: organizationIdOf(template.id) },
  path: { id },
  headers: { 'if-match': ifMatch },
});

function prepare({ ifMatch, outcomes, versions = [template] }: Scenario) {
  const written: Template[] = [];
  let reads = 0;
  const run = () =>
    changeTemplate(
      ofTemplate(template.id, ifMatch),
      async (before) => {
        written.push(before);
        const after = { ...before, version: before.version + 1 };
        return { outcome: outcomes[written.length - 1] ?? 'stored', after };
      },
      fakeTemplateStore({
        get: async () => {
          reads += 1;
          return versions[Math.min(reads, versions.length) - 1];
        },
      }),
    );
  return { run, written };
}

const second = { ...template, version: 2, subject: 'Theirs' };

describe('changeTemplate', () => {
  it('returns the template as written', async () => {
    const { run } = prepare({ outcomes: ['stored'] });

    expect(await run()).toEqual({ ...template, version: 2 });
  });

  it('applies the change again on top of a concurrent one', async () => {
    const { run, written } = prepare({
      outcomes: ['changed_meanwhile', 'stored'],
      versions: [template, second],
    });

    expect(await run()).toEqual({ ...second, version: 3 });
    expect(written).toEqual([template, second]);
  });

  it('gives up when every try meets another change', async () => {
    const { run, written } = prepare({ outcomes: Array(9).fill('changed_meanwhile') });

    const { code } = await serviceErrorOf(run);

    expect(code).toBe('concurrent_change');
    expect(written).toHaveLength(3);
  });

  it("doesn't retry with If-Match", async () => {
    const { run, written } = prepare({
      ifMatch: '"1"',
      outcomes: ['changed_meanwhile'],
      versions: [template, second],
    });

    const { code } = await serviceErrorOf(run);

    expect(code).toBe('version_mismatch');
    expect(written).toEqual([template]);
  });

  it.each(['*', '1', '"1"', '"7", "1"', '"7" , *'])(
    'changes version 1 for If-Match: %s',
    async (ifMatch) => {
      const { run } = prepare({ ifMatch, outcomes: ['stored'] });

      expect(await run()).toEqual({ ...template, version: 2 });
    },
  );

  it.each(['', '"2"', '"11"', 'W/"1"', '"7", "8"', '""', '1e0', 'nonsense'])(
    "doesn't change version 1 for If-Match: %s",
    async (ifMatch) => {
      const { run, written } = prepare({ ifMatch, outcomes: ['stored'] });

      const { code } = await serviceErrorOf(run);

      expect(code).toBe('version_mismatch');
      expect(written).toEqual([]);
    },
  );

  it('finds nothing once the template was deleted in between', async () => {
    const { run } = prepare({ outcomes: ['changed_meanwhile'], versions: [template, undefined] });

    const { code } = await serviceErrorOf(run);

    expect(code).toBe('template_not_found');
  });

  it("doesn't retry for a name that is taken", async () => {
    const { run, written } = prepare({ outcomes: ['name_taken'] });

    const { code } = await serviceErrorOf(run);

    expect(code).toBe('template_name_taken');
    expect(written).toHaveLength(1);
  });

  it("doesn't read another organization's id", async () => {
    const { code } = await serviceErrorOf(() =>
      changeTemplate(
        ofTemplate(buildTemplate().id),
        async (after) => ({ outcome: 'stored', after }),
        fakeTemplateStore(),
      ),
    );

    expect(code).toBe('template_not_found');
  });
});
