/** Makes addresses of images for this page alone, by their names; each image is fetched once. */
export function imageAddresses(
  fetched: (name: string) => Promise<Response>,
): (name: string) => Promise<string> {
  const images = new Map<string, Promise<string>>();
  return (name) => {
    const known = images.get(name);
    if (known !== undefined) return known;
    const image = fetched(name)
      .then((response) => response.blob())
      .then((blob) => URL.createObjectURL(blob));
    image.catch(() => images.delete(name));
    images.set(name, image);
    return image;
  };
}
