/** Pages that begin with figures; all others begin with a list. */
const figures = /^\/(?:admin|studio\/[^/]+(?:\/figures)?)\/?$/;

const widths = ['w-2/5', 'w-1/2', 'w-1/3', 'w-5/12', 'w-2/5', 'w-1/3'];

/** Outline of a page that loads. @param pathname of that page */
export function PageSkeleton({ pathname }: { pathname: string }) {
  return (
    <>
      <output className="sr-only">Loading</output>
      <div className="skl" aria-hidden="true">
        <i className="h-9 w-52" />
        <i className="mt-3 h-4 w-72 max-w-full" />
        {figures.test(pathname) ? (
          <>
            <div className="mt-7 grid gap-4 md:grid-cols-2 xl:grid-cols-4">
              {widths.slice(0, 4).map((width, index) => (
                <i key={`${width} ${index}`} className="h-28" />
              ))}
            </div>
            <i className="mt-7 h-72" />
          </>
        ) : (
          <ul className="mt-10">
            {widths.map((width, index) => (
              <li key={`${width} ${index}`}>
                <i className="size-10" />
                <span>
                  <i className={`h-4 ${width}`} />
                  <i className="mt-2 h-3 w-1/4" />
                </span>
                <i className="h-6 w-20" />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}
