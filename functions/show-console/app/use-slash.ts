import { useEffect } from 'preact/hooks';

const typingPlaces = 'input, textarea, select, [contenteditable], dialog';

/** The key `/` leads to the field of this name, unless somebody is typing. */
export function useSlash(name: string): void {
  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target instanceof Element && event.target.closest(typingPlaces)) return;
      const field = document.querySelector<HTMLInputElement>(`main input[name="${name}"]`);
      if (field === null) return;
      event.preventDefault();
      field.focus();
      field.select();
    };
    document.addEventListener('keydown', lead);
    return () => document.removeEventListener('keydown', lead);
  }, [name]);
}
