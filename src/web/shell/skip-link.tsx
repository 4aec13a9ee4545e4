/** First focusable element: skips the header to `<main id="main">`. */
export function SkipLink() {
  return (
    <a
      className="fixed -top-30 left-4 z-99 rounded-cover bg-inverse px-4 py-2.5 text-inverse-text focus:top-4 print:hidden"
      href="#main"
    >
      Skip to content
    </a>
  );
}
