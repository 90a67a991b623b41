import { Page } from './parts/page.tsx';

/** The deployed version's `CHANGELOG.md`. */
export const Changelog = () => (
  <Page title="Changelog" beside={`This is version ${VERSION}`}>
    <div class="card changelog">{blocksOf(CHANGELOG).map(drawn)}</div>
  </Page>
);

type Block = {
  readonly place: number;
  readonly kind: 'version' | 'part' | 'item' | 'text';
  readonly text: string;
};

/** Headings, list items and paragraphs; a line without a mark continues the one before. */
function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const paragraph of markdown.split(/\n(?=\n|## |### |- )/)) {
    const text = paragraph.trim().replaceAll(/\s*\n\s*/g, ' ');
    const [, mark = '', rest = ''] = /^(###|##|-|#)? ?(.*)$/.exec(text) ?? [];
    const kind = kinds[mark];
    if (text !== '' && kind) blocks.push({ place: blocks.length, kind, text: rest });
  }
  return blocks;
}

const kinds: Readonly<Record<string, Block['kind']>> = {
  '##': 'version',
  '###': 'part',
  '-': 'item',
  '': 'text',
};

function drawn({ place, kind, text }: Block) {
  switch (kind) {
    case 'version':
      return <h2 key={place}>{text.replaceAll(/[[\]]/g, '')}</h2>;
    case 'part':
      return <h3 key={place}>{text}</h3>;
    case 'item':
      return (
        <p key={place} class="item">
          {inline(text)}
        </p>
      );
    case 'text':
      return <p key={place}>{inline(text)}</p>;
  }
}

const inline = (text: string) =>
  text.split(/(\*\*.+?\*\*|`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith('**')) return <b key={part}>{inline(part.slice(2, -2))}</b>;
    if (part.startsWith('`')) return <code key={part}>{part.slice(1, -1)}</code>;
    const link = /^\[([^\]]+)\]\(/.exec(part);
    return link ? link[1] : part;
  });
