import { type TemplateSlot, templateVersionSlot } from '#shared/table/keys';
import { batchGet } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import {
  type OrganizationId,
  ownId,
  type TemplateId,
  templateIdSchema,
} from '#shared/tokens/resource-id';
import { localeChain } from './language-tag.ts';
import type { TemplateParts } from './rendering/render-parts.ts';
import type { Edition } from './template.ts';
import { editionIn, headIn, type ItemReader, slotKeysOf, untilWhole } from './template-items.ts';
import { wordsIn } from './template-locale.ts';
import { getTemplateIdOfAlias } from './template-store.ts';

export type TemplateAsk = {
  readonly name: string;
  /** Default: the published version. */
  readonly version?: number | undefined;
  readonly locale?: string | undefined;
};

export type SentTemplate = Pick<Edition, 'version' | 'from' | 'replyTo'> & {
  readonly id: TemplateId;
  /** Absent for the template's own language. */
  readonly locale: string | undefined;
  readonly parts: TemplateParts;
};

export type SentTemplateReading =
  | { readonly kind: 'found'; readonly template: SentTemplate }
  | { readonly kind: 'unknown' | 'layout' | 'unpublished' | 'unknown_version' | 'without_layout' };

/** Aliases and layouts whose templates a process remembers. */
const maxRemembered = 1_000;

/** What a process has learned about the templates of its table. */
type Memory = { readonly idByAlias: Remembered; readonly layoutById: Remembered };

const memories = new WeakMap<Table, Memory>();

function memoryOf(table: Table): Memory {
  const memory = memories.get(table) ?? { idByAlias: remember(), layoutById: remember() };
  memories.set(table, memory);
  return memory;
}

/**
 * Reads a template beside the send's context; by id, in one read.
 *
 * An alias leads to an id, and a template to its layout. The process remembers both and reads the targets at once; the
 * item read says whether they still belong together. So a remembered alias costs no more than an id, and never leads to
 * its former template.
 */
export async function readSentTemplate(
  table: Table,
  organizationId: OrganizationId,
  ask: TemplateAsk,
): Promise<SentTemplateReading> {
  const id = templateIdSchema.safeParse(ask.name).data;
  if (id !== undefined) {
    return ownId(id, organizationId) ? readById(table, id, undefined, ask) : { kind: 'unknown' };
  }
  const { idByAlias } = memoryOf(table);
  const alias = `${organizationId} ${ask.name}`;
  const remembered = idByAlias.get(alias);
  const reading = remembered && (await readById(table, remembered, ask.name, ask));
  if (reading && reading.kind !== 'unknown') return reading;
  const templateId = await getTemplateIdOfAlias(table, organizationId, ask.name);
  if (templateId === undefined) return { kind: 'unknown' };
  idByAlias.set(alias, templateId);
  return readById(table, templateId, ask.name, ask);
}

/** @param alias must be the template's. */
const readById = (
  table: Table,
  id: TemplateId,
  alias: string | undefined,
  { version, locale }: TemplateAsk,
): Promise<SentTemplateReading> =>
  untilWhole<SentTemplateReading>(id, async (tries) => {
    const { layoutById } = memoryOf(table);
    const locales = locale === undefined ? [] : localeChain(locale);
    const use = `${id} ${version ?? ''}`;
    const remembered = layoutById.get(use);
    const found = await batchGet(table, [
      ...slotKeysOf(id, 'TEMPLATE', locales),
      ...(version === undefined ? [] : slotKeysOf(id, templateVersionSlot(version), locales)),
      ...(remembered ? slotKeysOf(remembered, 'TEMPLATE', locales) : []),
    ]);
    const head = headIn(id, found);
    if (head === undefined || (alias !== undefined && head.alias !== alias)) {
      return { read: { kind: 'unknown' } };
    }
    if (head.kind === 'layout') return { read: { kind: 'layout' } };
    const edition = editionOf(id, version, found, locales);
    if (edition === 'torn') return 'torn';
    if (edition === undefined) {
      const isKept = head.versions?.some((kept) => kept.version === version);
      // It was being moved there, or is being removed.
      if (isKept && tries < 3) return 'torn';
      return { read: { kind: version === undefined ? 'unpublished' : 'unknown_version' } };
    }
    const around = await readLayout(table, edition.layout, remembered, found, locales);
    if (around === 'torn') return 'torn';
    if (edition.layout !== undefined && around === undefined) {
      return { read: { kind: 'without_layout' } };
    }
    if (edition.layout) layoutById.set(use, edition.layout);
    return { read: { kind: 'found', template: toSentTemplate(id, edition, around, locale) } };
  });

async function readLayout(
  table: Table,
  id: TemplateId | undefined,
  remembered: TemplateId | undefined,
  found: ItemReader,
  locales: readonly string[],
): Promise<Edition | 'torn' | undefined> {
  if (id === undefined) return undefined;
  const itemOf =
    id === remembered ? found : await batchGet(table, slotKeysOf(id, 'TEMPLATE', locales));
  return editionIn(id, 'TEMPLATE', itemOf, locales);
}

function editionOf(
  id: TemplateId,
  version: number | undefined,
  found: ItemReader,
  locales: readonly string[],
): Edition | 'torn' | undefined {
  const inSlot = (slot: TemplateSlot) => editionIn(id, slot, found, locales);
  const published = inSlot('TEMPLATE');
  if (version === undefined || published === 'torn' || published?.version === version) {
    return published;
  }
  return inSlot(templateVersionSlot(version));
}

function toSentTemplate(
  id: TemplateId,
  edition: Edition,
  around: Edition | undefined,
  asked: string | undefined,
): SentTemplate {
  const { version, from, replyTo, variables } = edition;
  const { locale, ...words } = wordsIn(edition, asked);
  const layoutParts = around && wordsIn(around, asked);
  return {
    id,
    version,
    locale,
    from,
    replyTo,
    parts: { ...words, variables, ...(layoutParts && { layoutParts }) },
  };
}

/** Forgets the oldest entry when full. */
function remember() {
  const known = new Map<string, TemplateId>();
  return {
    get: (name: string) => known.get(name),
    set(name: string, id: TemplateId) {
      known.delete(name);
      known.set(name, id);
      const [first] = known.keys();
      if (known.size > maxRemembered && first !== undefined) known.delete(first);
    },
  };
}
type Remembered = ReturnType<typeof remember>;
