import { Component, type TargetedKeyboardEvent } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { highlighted, type Piece } from './highlight.ts';

type CodeEditorProps = {
  readonly id: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly isReadOnly: boolean;
};

/**
 * A text area over a coloured copy of its text. Typing, screen readers, search and undo work as usual; the colours are
 * only for the eye.
 */
export function CodeEditor({
  id,
  text,
  onText,
  describedBy,
  isInvalid,
  isReadOnly,
}: CodeEditorProps) {
  const lines = useMemo(() => highlighted(text), [text]);
  // Tab indents only while typing, so it doesn't trap someone who's just tabbing past.
  const isTyping = useRef(false);
  return (
    <div class="code-editor">
      <pre aria-hidden="true">
        {lines.map((pieces, at) => (
          <Line key={at} pieces={pieces} />
        ))}
      </pre>
      <textarea
        id={id}
        value={text}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        readOnly={isReadOnly}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        onInput={({ currentTarget }) => {
          isTyping.current = true;
          onText(currentTarget.value);
        }}
        onPointerDown={() => {
          isTyping.current = !isReadOnly;
        }}
        onBlur={() => {
          isTyping.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') isTyping.current = false;
          else if (isTyping.current) indent(event);
        }}
      />
    </div>
  );
}

class Line extends Component<{ pieces: readonly Piece[] }> {
  override shouldComponentUpdate({ pieces }: { pieces: readonly Piece[] }): boolean {
    const { pieces: before } = this.props;
    return (
      pieces.length !== before.length ||
      pieces.some(({ kind, text }, at) => kind !== before[at]?.kind || text !== before[at]?.text)
    );
  }

  override render() {
    const { pieces } = this.props;
    return (
      <div>
        {pieces.map(({ kind, text }, at) =>
          kind === '' ? (
            text
          ) : (
            <span key={at} class={`code-${kind}`}>
              {text}
            </span>
          ),
        )}
        {pieces.length === 0 && '\n'}
      </div>
    );
  }
}

/** Tab, Shift+Tab and Enter work on the code's lines. */
function indent(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  const { key, shiftKey, isComposing, currentTarget: area } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || isComposing) return;
  if (key !== 'Tab' && (key !== 'Enter' || shiftKey)) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = area;
  const lineStart = value.lastIndexOf('\n', selectionStart - 1) + 1;
  if (key === 'Enter') {
    const [blanks = ''] = /^[ \t]*/.exec(value.slice(lineStart, selectionStart)) ?? [];
    insert(area, `\n${blanks}`);
    return;
  }
  if (!shiftKey && !value.slice(selectionStart, selectionEnd).includes('\n')) {
    insert(area, '  ');
    return;
  }
  const lines = value.slice(lineStart, selectionEnd);
  const moved = shiftKey ? lines.replace(/^(?: {1,2}|\t)/gm, '') : lines.replace(/^(?=.)/gm, '  ');
  if (moved === lines) return;
  const fromEnd = value.length - selectionEnd;
  area.setSelectionRange(lineStart, selectionEnd);
  insert(area, moved);
  const end = area.value.length - fromEnd;
  area.setSelectionRange(selectionStart === selectionEnd ? end : lineStart, end);
}

/** Goes through the browser's editing, so that undo works. */
function insert(area: HTMLTextAreaElement, text: string): void {
  if (document.execCommand('insertText', false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Puts the cursor at a place in a field and scrolls it into view, unfolding the field if needed. */
export function goToPlace(id: string, place: number | undefined): void {
  const field = document.getElementById(id);
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
  if (place === undefined) return;
  field.setSelectionRange(place, place + 2);
  const line = field.value.slice(0, place).split('\n').length - 1;
  field.previousElementSibling?.children[line]?.scrollIntoView({ block: 'center' });
}
