import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { call } from '../api-client.ts';
import { announce } from '../parts/announce.tsx';
import { Failure, Shown } from '../parts/states.tsx';
import { Badge, Moment } from '../parts/text.tsx';
import { useAction, useCall } from '../shared/use-call.ts';
import { DraftDifference } from './difference.tsx';
import { draftOf, isDraft, type Template, type TemplateDraft } from './draft.ts';
import type { TypedTemplate } from './typed-template.ts';

const inEditor = 'editor';

/** The version that sends use, earlier ones and drafts, and the differences between any two. */
export function Versions({ stored, typed }: { stored: Template; typed: TypedTemplate }) {
  const { version, publishedVersion, updatedAt, versions } = stored;
  const earlier = versions[0]?.version;
  const [sides, setSides] = useState<readonly [string, string]>();
  const heading = useRef<HTMLHeadingElement>(null);
  const compare = (before: number | undefined) => {
    const other = before === version && !typed.isChanged ? earlier : before;
    setSides([`${other ?? version}`, inEditor]);
    queueMicrotask(() => heading.current?.focus());
  };
  const choices = [
    [inEditor, typed.isChanged ? 'In the editor, not saved' : 'In the editor'],
    ...[...new Set([version, ...(publishedVersion ? [publishedVersion] : [])])].map(
      (one) => [`${one}`, wordsOf(stored, one)] as const,
    ),
    ...versions.map((one) => [`${one.version}`, `Version ${one.version}`] as const),
  ] as const;
  return (
    <section class="card versions">
      <h2>Versions</h2>
      <ul class="rows">
        {isDraft(stored) && (
          <li>
            <span class="wide">
              Version {version} <Badge tone="warn">Draft</Badge>
            </span>
            <Moment at={updatedAt} />
          </li>
        )}
        {publishedVersion !== undefined && (
          <li>
            <span class="wide">
              Version {publishedVersion} <Badge tone="good">Published</Badge>
            </span>
            {!isDraft(stored) && <Moment at={updatedAt} />}
            <VersionButtons
              version={publishedVersion}
              compare={compare}
              stored={stored}
              typed={typed}
            />
          </li>
        )}
        {versions.map((one) => (
          <li key={one.version}>
            <span class="wide">Version {one.version}</span>
            <Moment at={one.publishedAt} />
            <VersionButtons version={one.version} compare={compare} stored={stored} typed={typed} />
          </li>
        ))}
      </ul>
      {sides && (
        <div class="comparison">
          <h3 tabIndex={-1} ref={heading}>
            Compare versions
          </h3>
          <div class="sides-chosen">
            <Side
              label="From"
              value={sides[0]}
              choices={choices}
              choose={(one) => setSides([one, sides[1]])}
            />
            <Side
              label="To"
              value={sides[1]}
              choices={choices}
              choose={(one) => setSides([sides[0], one])}
            />
          </div>
          <Version of={sides[0]} stored={stored} typed={typed}>
            {(before) => (
              <Version of={sides[1]} stored={stored} typed={typed}>
                {(after) => <DraftDifference before={before} after={after} />}
              </Version>
            )}
          </Version>
        </div>
      )}
    </section>
  );
}

const wordsOf = ({ publishedVersion }: Template, version: number): string =>
  `Version ${version}, ${version === publishedVersion ? 'published' : 'draft'}`;

const Side = ({
  label,
  value,
  choices,
  choose,
}: {
  label: string;
  value: string;
  choices: readonly (readonly [value: string, words: string])[];
  choose: (value: string) => void;
}) => (
  <label>
    {label}{' '}
    <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {choices.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  </label>
);

type VersionProps = {
  stored: Template;
  typed: TypedTemplate;
  of: string;
  children: (draft: TemplateDraft) => ComponentChildren;
};

function Version({ stored, typed, of, children }: VersionProps) {
  if (of === inEditor) return <>{children(typed.draft)}</>;
  if (of === `${stored.version}`) return <>{children(draftOf(stored))}</>;
  return (
    <StoredVersion id={stored.id} version={of}>
      {children}
    </StoredVersion>
  );
}

function StoredVersion({
  id,
  version,
  children,
}: Pick<VersionProps, 'children'> & { id: string; version: string }) {
  const earlier = useCall('GET /api/v1/templates/{id}', { path: { id }, query: { version } });
  return <Shown of={earlier}>{(template) => <>{children(draftOf(template))}</>}</Shown>;
}

function VersionButtons({
  version,
  compare,
  stored,
  typed,
}: {
  version: number;
  compare: (version: number) => void;
  stored: Template;
  typed: TypedTemplate;
}) {
  const taking = useAction(async () => {
    const { id } = stored;
    const query = { version: `${version}` };
    const earlier = await call('GET /api/v1/templates/{id}', { path: { id }, query });
    const { name = '', alias = '' } = typed.draft;
    typed.change({ draft: { ...draftOf(earlier), name, alias } });
    announce(`Version ${version} is in the editor`);
  });
  return (
    <span class="buttons">
      <button
        type="button"
        class="small"
        aria-label={`Compare version ${version} with the editor`}
        onClick={() => compare(version)}
      >
        Compare
      </button>
      {typed.isWritable && (
        <button
          type="button"
          class="small"
          aria-label={`Load into the editor: version ${version}`}
          aria-disabled={taking.isRunning}
          onClick={taking.run}
        >
          Load into the editor
        </button>
      )}
      {taking.failure && <Failure failure={taking.failure} />}
    </span>
  );
}
