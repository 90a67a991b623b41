import type { ComponentChildren, TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect } from 'preact/hooks';

export type Column<Item> = {
  readonly head: ComponentChildren;
  readonly cell: (item: Item) => ComponentChildren;
  /**
   * `end` aligns right, `roomy` is hidden when there's little room, `roomiest` sooner; `yields` keeps only the row's
   * link.
   */
  readonly look?: string;
  /** In twelfths of the table. Columns without one share the rest. */
  readonly width?: 1 | 2 | 3 | 4;
  readonly isLink?: boolean;
};

export type TableProps<Item> = {
  label: string;
  columns: readonly Column<Item>[];
  rows: readonly Item[];
  keyOf: (item: Item) => string;
  /** `undefined` if the row has no page. */
  hrefOf?: (item: Item) => string | undefined;
};

/** Dense rows, each one a link: for a pointer, for Tab and Enter, and for the arrow keys from row to row. */
export function Table<Item>({ label, columns, rows, keyOf, hrefOf }: TableProps<Item>) {
  useEffect(() => {
    document.addEventListener('keydown', enterRows);
    return () => document.removeEventListener('keydown', enterRows);
  }, []);
  return (
    <table class="dense" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ head, look = '', width }, place) => (
            <th key={place} scope="col" class={`${look} ${width ? `w${width}` : ''}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onClick={openRow} onKeyDown={walkRows}>
        {rows.map((item) => {
          const href = hrefOf?.(item);
          return (
            <tr key={keyOf(item)}>
              {columns.map(({ cell, look, isLink }, place) => (
                <td key={place} class={look}>
                  {isLink && href !== undefined ? (
                    <a class="row-link" href={href}>
                      {cell(item)}
                    </a>
                  ) : (
                    cell(item)
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The down arrow enters the list from the top of the page or its search box. */
function enterRows(event: KeyboardEvent): void {
  const { key, target, defaultPrevented } = event;
  if (key !== 'ArrowDown' || defaultPrevented || !(target instanceof Element)) return;
  const first = document.querySelector<HTMLElement>('.row-link');
  if (!first || !target.matches('body, h1, [type="search"]')) return;
  event.preventDefault();
  first.focus();
}

/** Times are above the row's link, so that pointers and fingers reach them. A click on one still opens the row. */
function openRow(event: TargetedEvent<HTMLElement, MouseEvent>): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('a, button, dialog')) return;
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
  if (isTouch && target.closest('time')) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
  target.closest('tr')?.querySelector('.row-link')?.dispatchEvent(new MouseEvent('click', click));
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function walkRows(event: TargetedKeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement)) return;
  const links = [...currentTarget.querySelectorAll<HTMLElement>('.row-link')];
  const at = links.indexOf(target);
  if (at < 0) return;
  const step = steps[key];
  const next = key === 'Home' ? 0 : key === 'End' ? links.length - 1 : step && at + step;
  if (next === undefined) return;
  event.preventDefault();
  links[next]?.focus();
}
