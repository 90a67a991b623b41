import {
  contentOf,
  type Edition,
  headOf,
  type KeptVersion,
  type PublishedEdition,
  publishedOf,
  type Template,
} from './template.ts';

/** Earlier versions that sends may still name, besides the published one. */
export const maxVersionsKept = 20;

/**
 * A draft beside the published version, or published at once.
 *
 * @param after the changed template; its version and times are still those of `before`.
 */
export function nextVersion(
  before: Template,
  after: Template,
  { isDraft, now }: { readonly isDraft: boolean; readonly now: number },
): Template {
  const { publishedAt: _at, isDraft: _was, published: _taken, ...rest } = after;
  const next = { ...rest, version: before.version + 1, updatedAt: now };
  const taken = publishedOf(before);
  return isDraft
    ? { ...next, isDraft, ...(taken !== undefined && { published: taken }) }
    : { ...next, publishedAt: now, ...versionsWith(before, taken) };
}

/** Keeps the draft's version, which people have seen and approved. */
export function published(before: Template, now: number): Template {
  const { isDraft: _, published: taken, ...draft } = before;
  return { ...draft, publishedAt: now, updatedAt: now, ...versionsWith(before, taken) };
}

function versionsWith(
  { versions = [] }: Template,
  taken: PublishedEdition | undefined,
): Pick<Template, 'versions'> {
  if (taken === undefined) return {};
  return { versions: [keptVersionOf(taken), ...versions].slice(0, maxVersionsKept) };
}

function keptVersionOf({ version, publishedAt, locales }: PublishedEdition): KeptVersion {
  const names = Object.keys(locales ?? {});
  return { version, publishedAt, ...(names.length > 0 && { locales: names }) };
}

/** Versions that are no longer kept after the change. */
export const droppedVersions = (before: Template, after: Template | undefined): KeptVersion[] =>
  (before.versions ?? []).filter(
    ({ version }) => !after?.versions?.some((kept) => kept.version === version),
  );

export const asOfVersion = (template: Template, edition: Edition): Template => {
  const { versions } = template;
  return {
    ...headOf(template),
    ...contentOf(edition),
    version: edition.version,
    publishedAt: edition.publishedAt,
    ...(versions !== undefined && { versions }),
  };
};
