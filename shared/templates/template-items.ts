import * as z from 'zod/mini';
import {
  type Key,
  type TemplatePart,
  type TemplateSlot,
  templateKey,
  templateListIndexKey,
  templatePartKey,
  templateVersionSlot,
} from '#shared/table/keys';
import { readItem } from '#shared/table/reads';
import type { StoredItem } from '#shared/table/table-client';
import { backOff } from '#shared/timing/backoff';
import type { TemplateId } from '#shared/tokens/resource-id';
import { declaredVariablesSchema } from './declared-variables.ts';
import {
  contentOf,
  type Edition,
  editionSchema,
  headOf,
  isPublished,
  publishedOf,
  type Template,
  type Translation,
  templateSchema,
  translationSchema,
} from './template.ts';
import { contentHashOf } from './template-hash.ts';
import type { TemplateSummary } from './template-view.ts';

// A template is several items in one partition, written at one moment. The first is the head, with the settings that
// sends use:
//
// | sk                                     | holds                                                          |
// |----------------------------------------|----------------------------------------------------------------|
// | `TEMPLATE`                             | names and times, a summary of the draft, subject and settings  |
// | `TEMPLATE#htmlContent`, `#content`     | the bodies that sends use; an item without one if there's none |
// | `TEMPLATE#LOCALE#<tag>`                | the same in another language: subject and bodies               |
// | `DRAFT`, `DRAFT#…`                     | the draft, in the same parts                                   |
// | `VERSION#<number>`, `VERSION#<number>#…` | versions that sends used before                              |
//
// Every part carries the version of its content, so that a reader sees when it read between two writes.

/** The head of a template that was never published has this version, and no content. */
export const neverPublished = 0;

const nothingPublished: Edition = { version: neverPublished, subject: '' };

const localePart = (locale: string): TemplatePart => `LOCALE#${locale}`;

/** Shown in lists. It says which parts the draft has. */
const draftSummarySchema = z.object({
  version: z.int(),
  subject: z.string(),
  locales: z.optional(z.array(z.string())),
});

/** JSON, because the table's own values nest less deeply and have smaller numbers. */
const storedVariables = z.optional(
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((json): unknown => JSON.parse(json)),
    ),
    declaredVariablesSchema,
  ),
);

const headSchema = z.object({
  ...z.omit(templateSchema, { htmlContent: true, content: true }).shape,
  variables: storedVariables,
  locales: z.optional(z.array(z.string())),
  draft: z.optional(draftSummarySchema),
  contentHash: z.string(),
});

const slotItemSchema = z.object({
  ...z.omit(editionSchema, { htmlContent: true, content: true }).shape,
  variables: storedVariables,
  locales: z.optional(z.array(z.string())),
});
type SlotItem = z.infer<typeof slotItemSchema>;

const bodyItemSchema = z.object({ body: z.optional(z.string()) });

/** Lists don't show all of it: the endpoint's schema says what. */
export type ListedTemplate = TemplateSummary & {
  /** Absent until a version is published. */
  readonly publishedAt?: number;
};

/** Shows the newest content. */
export function summaryOf(item: StoredItem): ListedTemplate {
  const { draft, version, subject, contentHash, ...head } = readItem('template', headSchema, item);
  return {
    ...headOf(head),
    subject: draft?.subject ?? subject,
    version: draft?.version ?? version,
    ...(version !== neverPublished && { publishedVersion: version }),
    contentHash,
    ...(head.publishedAt !== undefined && { publishedAt: head.publishedAt }),
  };
}

/** Enough for a plain read: its head and its bodies. */
export const templateKeysOf = (id: TemplateId): readonly [Key, Key, Key] => [
  templateKey(id),
  templatePartKey(id, 'TEMPLATE', 'htmlContent'),
  templatePartKey(id, 'TEMPLATE', 'content'),
];

/** Leaves out earlier versions. The head is the first item. */
export function templateItemsOf(template: Template): readonly [StoredItem, ...StoredItem[]] {
  const { id, createdAt } = template;
  const edition = publishedOf(template);
  const [head, ...parts] = slotItemsOf(id, 'TEMPLATE', edition);
  return [
    { ...head, ...templateListIndexKey(id, createdAt), ...headItemOf(template) },
    ...parts,
    ...(template.isDraft
      ? slotItemsOf(id, 'DRAFT', { ...contentOf(template), version: template.version })
      : []),
  ];
}

export const versionItemsOf = (id: TemplateId, edition: Edition): readonly StoredItem[] =>
  slotItemsOf(id, templateVersionSlot(edition.version), edition);

function headItemOf(template: Template): StoredItem {
  const { versions, layoutUses, isDraft, version, subject } = template;
  const locales = localesOf(template);
  return {
    ...headOf(template),
    contentHash: contentHashOf(template),
    ...(versions !== undefined && { versions }),
    ...(layoutUses !== undefined && { layoutUses }),
    ...(isDraft && { draft: { version, subject, ...(locales.length > 0 && { locales }) } }),
  };
}

function slotItemsOf(
  id: TemplateId,
  slot: TemplateSlot,
  edition: Edition | undefined,
): readonly [StoredItem, ...StoredItem[]] {
  const { version, htmlContent, content, variables, locales, ...rest } =
    edition ?? nothingPublished;
  const names = Object.keys(locales ?? {});
  const key = (part?: TemplatePart) => templatePartKey(id, slot, part);
  return [
    {
      ...key(),
      version,
      ...rest,
      ...(variables !== undefined && { variables: JSON.stringify(variables) }),
      ...(names.length > 0 && { locales: names }),
    },
    { ...key('htmlContent'), version, htmlContent },
    { ...key('content'), version, content },
    ...Object.entries(locales ?? {}).map(([locale, words]) => ({
      ...key(localePart(locale)),
      version,
      ...words,
    })),
  ];
}

const localesOf = ({ locales }: Pick<Template, 'locales'>): string[] => Object.keys(locales ?? {});

export type ItemReader = (key: Key) => StoredItem | undefined;

/** @param locales the content's languages. */
export const slotKeysOf = (
  id: TemplateId,
  slot: TemplateSlot,
  locales: readonly string[] = [],
): readonly [Key, ...Key[]] => [
  templatePartKey(id, slot),
  templatePartKey(id, slot, 'htmlContent'),
  templatePartKey(id, slot, 'content'),
  ...locales.map((locale) => templatePartKey(id, slot, localePart(locale))),
];

export function headIn(id: TemplateId, itemOf: ItemReader) {
  const item = itemOf(templateKey(id));
  return item && readItem('template', headSchema, item);
}

/** Languages and a draft, which only the head names. */
export function furtherKeysOf(id: TemplateId, itemOf: ItemReader): readonly Key[] {
  const { locales = [], draft } = headIn(id, itemOf) ?? {};
  const [, , , ...inOtherLanguages] = slotKeysOf(id, 'TEMPLATE', locales);
  return [...inOtherLanguages, ...(draft ? slotKeysOf(id, 'DRAFT', draft.locales) : [])];
}

type TemplateReading =
  | { readonly kind: 'whole'; readonly template: Template | undefined }
  /** Its items have different versions: they were read while being written. */
  | { readonly kind: 'torn' };

const torn = { kind: 'torn' } as const;

/** The items are written at one moment but not read at one. */
export function readingOf(id: TemplateId, itemOf: ItemReader): TemplateReading {
  const head = headIn(id, itemOf);
  if (head === undefined) {
    const isGone = templateKeysOf(id).every((key) => itemOf(key) === undefined);
    return isGone ? { kind: 'whole', template: undefined } : torn;
  }
  const { versions, layoutUses, draft } = head;
  const taken = editionIn(id, 'TEMPLATE', itemOf, head.locales);
  const drafted = draft && editionIn(id, 'DRAFT', itemOf, draft.locales);
  if (taken === 'torn' || drafted === 'torn') return torn;
  if (draft !== undefined && drafted?.version !== draft.version) return torn;
  const edition = drafted ?? taken;
  if (edition === undefined) return torn;
  return {
    kind: 'whole',
    template: {
      ...headOf(head),
      ...contentOf(edition),
      version: edition.version,
      ...(edition.publishedAt !== undefined && { publishedAt: edition.publishedAt }),
      ...(drafted && { isDraft: true }),
      ...(drafted && taken && isPublished(taken) && { published: taken }),
      ...(versions !== undefined && { versions }),
      ...(layoutUses !== undefined && { layoutUses }),
    },
  };
}

/** @param languages the languages to include, of those that it has */
export function editionIn(
  id: TemplateId,
  slot: TemplateSlot,
  itemOf: ItemReader,
  languages: readonly string[] = [],
): Edition | 'torn' | undefined {
  const item = itemOf(templatePartKey(id, slot));
  if (item === undefined) return undefined;
  const { locales = [], ...rest } = readItem('template', slotItemSchema, item);
  const inOtherLanguages = languages.filter((locale) => locales.includes(locale));
  const [, ...keys] = slotKeysOf(id, slot, inOtherLanguages);
  const parts = keys.map(itemOf);
  if (parts.some((part) => part?.['version'] !== rest.version)) return 'torn';
  if (rest.version === neverPublished) return undefined;
  const [html, text, ...translations] = parts;
  return {
    ...withoutNothing(rest),
    ...bodyOf('htmlContent', html),
    ...bodyOf('content', text),
    ...(inOtherLanguages.length > 0 && { locales: translationsOf(inOtherLanguages, translations) }),
  };
}

const withoutNothing = ({
  version,
  publishedAt,
  ...content
}: Omit<SlotItem, 'locales'>): Edition => ({
  ...contentOf(content),
  version,
  ...(publishedAt !== undefined && { publishedAt }),
});

function bodyOf(part: 'htmlContent' | 'content', item: StoredItem | undefined) {
  const { body } = readItem('template', bodyItemSchema, { body: item?.[part] });
  return body === undefined ? {} : { [part]: body };
}

const translationsOf = (
  names: readonly string[],
  items: readonly (StoredItem | undefined)[],
): Record<string, Translation> =>
  Object.fromEntries(
    names.map((name, index) => [name, readItem('template', translationSchema, items[index])]),
  );

const maxReads = 5;

/** Reads again if the template was being written. */
export async function untilWhole<Read>(
  id: TemplateId,
  read: (tries: number) => Promise<{ readonly read: Read } | 'torn'>,
): Promise<Read> {
  for (let tries = 1; tries <= maxReads; tries += 1) {
    const outcome = await read(tries);
    if (outcome !== 'torn') return outcome.read;
    await backOff(tries, 20, 200);
  }
  throw new Error(`Template ${id} changes faster than it can be read`);
}
