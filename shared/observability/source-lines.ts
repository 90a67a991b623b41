import { readFileSync } from 'node:fs';
import type { SourceMap, SourceOrigin } from 'node:module';
import { fileURLToPath } from 'node:url';

/** File URL, line and column. */
const callSite = /(file:\/\/[^\s()]+):(\d+):(\d+)/;

/**
 * Replaces the bundle's line with the source's. Node's `--enable-source-maps` would read the map, twice the size of the
 * bundle, in every cold start; here it's read when an error is logged. Without a map, as in the local twin, frames stay
 * unchanged.
 */
export const withSourceLine = (frame: string): string =>
  frame.replace(callSite, (site, url, line, column) => {
    // The URL must be this bundle's, which includes this module.
    if (url !== import.meta.url) return site;
    map ??= readMap();
    const origin = map?.findOrigin(Number(line), Number(column));
    return origin && isOrigin(origin) ? textOf(origin) : site;
  });

const isOrigin = (found: object): found is SourceOrigin => 'fileName' in found;

/** By its name in the repository, wherever the bundle was made. */
const textOf = ({ fileName, lineNumber, columnNumber }: SourceOrigin): string =>
  `${fileName.replace(/^(\.\.\/)+/, '')}:${lineNumber}:${columnNumber}`;

let map: SourceMap | null | undefined;

function readMap(): SourceMap | null {
  try {
    // Loaded only here.
    const { SourceMap } = process.getBuiltinModule('node:module');
    const text = readFileSync(`${fileURLToPath(import.meta.url)}.map`, 'utf8');
    return new SourceMap(JSON.parse(text));
  } catch {
    return null;
  }
}
