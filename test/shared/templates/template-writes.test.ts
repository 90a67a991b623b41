import { describe, expect, it } from 'vitest';
import { mostLocales } from '#shared/templates/check-template';
import type { Template } from '#shared/templates/template';
import { mostVersionsKept, published } from '#shared/templates/template-versions';
import {
  creationWrites,
  deletionWrites,
  replacementWrites,
} from '#shared/templates/template-writes';
import { newTemplateId, organizationIdOf } from '#shared/tokens/resource-id';
import { buildTemplate } from '../../support/template-builder.ts';

/** DynamoDB takes 100, and one is the audit entry. */
const mostWrites = 99;

const inLanguages = (letter: string) =>
  Object.fromEntries(
    Array.from({ length: mostLocales }, (_, index) => [
      `${letter}${String.fromCharCode(97 + index)}`,
      { subject: letter },
    ]),
  );

const { id } = buildTemplate();
const newLayout = () => newTemplateId(organizationIdOf(id));

/** A draft that shares no language or layout with what is published, and as many earlier versions as are kept. */
const largest = (): Template => ({
  ...buildTemplate({ id, version: 40, alias: 'before', layout: newLayout() }),
  locales: inLanguages('a'),
  isDraft: true,
  published: { version: 39, subject: 'Taken', layout: newLayout(), locales: inLanguages('b') },
  versions: Array.from({ length: mostVersionsKept }, (_, index) => ({
    ...{ version: 38 - index, publishedAt: 1, locales: Object.keys(inLanguages('c')) },
  })),
});

describe('the writes of the largest template', () => {
  it.each([
    ['creation', creationWrites(largest())],
    [
      'change',
      replacementWrites(largest(), {
        ...published(largest(), 1),
        ...{ version: 41, name: 'After', alias: 'after', layout: newLayout() },
        locales: inLanguages('d'),
      }),
    ],
    ['deletion', deletionWrites(largest())],
  ])('fit in one transaction for its %s', (_, writes) => {
    expect(writes.length).toBeLessThanOrEqual(mostWrites);
  });
});
