import { toast } from './parts/announce.tsx';
import { busyWords } from './shared/again.ts';
import { addStyle, arrive } from './shared/arrival.ts';

// The first view is one file. What follows comes in a few more, each when it's first needed: API Gateway throttles the
// console's files, so neither a person nor two at once may need many.

/** @param part the imported file's name. The page lists the files that it needs. */
export function late<Part>(part: string, load: () => Promise<Part>): Promise<Part> {
  const files = filesOf(part);
  const styles = files.filter((file) => file.endsWith('.css'));
  const loadAll = async () => {
    const [loaded] = await Promise.all([load(), ...styles.map(addStyle)]);
    return loaded;
  };
  return arrive(files, loadAll, () => toast(busyWords));
}

function filesOf(part: string): readonly string[] {
  const { late: listed = '{}' } = appElement().dataset;
  const filesByPart: Readonly<Record<string, readonly string[]>> = JSON.parse(listed);
  const files = filesByPart[part];
  if (files === undefined) throw new Error(`The page lists no files of ${part}`);
  return files;
}

export const appElement = (): HTMLElement =>
  document.querySelector<HTMLElement>('#app') ?? document.body;
