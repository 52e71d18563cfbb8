// SPDX-License-Identifier: MIT
#include "io/formats/png.h"

#include "base/memory.h"
#include "io/file.h"

#include <png.h>
#include <string.h>

#define LARGEST (1u << 30) // bytes of a file we are willing to read

// libpng reports by long jumps. Between png_create_* and the end of each `inner` function below
// nothing else is allocated, so a jump loses nothing.
typedef struct Trouble {
    char text[160];
} Trouble;

static void on_error(png_structp png, png_const_charp text)
{
    Trouble *trouble = png_get_error_ptr(png);
    snprintf(trouble->text, sizeof trouble->text, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t size)
{
    OndFile *file = png_get_io_ptr(png);
    ond_file_write(file, bytes, size);
    if (!ond_file_good(file)) png_error(png, "the file could not be written");
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

// Speed over size: level 2 with one cheap filter is about five times as fast as libpng's defaults.
static bool encode(png_structp png, png_infop info, OndFile *file, const OndImage *image)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, file, write_bytes, flush_bytes);
    png_set_compression_level(png, 2);
    png_set_filter(png, 0, PNG_FILTER_SUB);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < image->height; ++y)
        png_write_row(png, image->rgb + (size_t)y * (size_t)image->width * 3);
    png_write_end(png, NULL);
    return true;
}

OndStatus ond_png_write(const char *path, const OndImage *image, OndError *err)
{
    if (!image->rgb || image->width < 1 || image->height < 1)
        return ond_fail(err, OND_BAD_VALUE, "%s: there is no picture to write (%d x %d pixels)",
                        path, image->width, image->height);
    OndFile *file = ond_file_create(path, err);
    if (!file) return OND_IO;
    Trouble trouble = {""};
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, &trouble, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    const bool good = info && encode(png, info, file, image);
    png_destroy_write_struct(&png, &info);
    if (good || !ond_file_good(file))
        return ond_file_commit(file, err); // which also names a failed write
    ond_file_abandon(file);
    return ond_fail(err, OND_IO, "%s: the picture could not be encoded: %s", path,
                    trouble.text[0] ? trouble.text : "no memory");
}

typedef struct PngSource {
    const char *bytes;
    size_t size, at;
} PngSource;

static void read_bytes(png_structp png, png_bytep out, size_t size)
{
    PngSource *source = png_get_io_ptr(png);
    if (size > source->size - source->at) png_error(png, "it ends too early");
    memcpy(out, source->bytes + source->at, size);
    source->at += size;
}

static bool read_head(png_structp png, png_infop info, PngSource *source)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_user_limits(png, OND_IMAGE_SIDE_MAX, OND_IMAGE_SIDE_MAX);
    png_set_read_fn(png, source, read_bytes);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_strip_alpha(png);
    png_set_gray_to_rgb(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)png_get_image_width(png, info) * 3)
        png_error(png, "its pixels are of an unknown kind");
    return true;
}

static bool read_rows(png_structp png, OndImage *image, int passes)
{
    if (setjmp(png_jmpbuf(png))) return false;
    for (int pass = 0; pass < passes; ++pass)
        for (int y = 0; y < image->height; ++y)
            png_read_row(png, image->rgb + (size_t)y * (size_t)image->width * 3, NULL);
    return true;
}

static OndStatus decode(const char *path, PngSource *source, OndImage *image, OndError *err)
{
    Trouble trouble = {"no memory"};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &trouble, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    OndStatus status = OND_OK;
    bool good = info && read_head(png, info, source);
    if (good)
        status = ond_image_resize(image, (int)png_get_image_width(png, info),
                                  (int)png_get_image_height(png, info), err);
    if (good && status == OND_OK)
        good =
            read_rows(png, image, png_get_interlace_type(png, info) == PNG_INTERLACE_NONE ? 1 : 7);
    png_destroy_read_struct(&png, &info, NULL);
    if (good) return status;
    return ond_fail(err, OND_IO, "%s: not a readable PNG: %s", path, trouble.text);
}

OndStatus ond_png_read(const char *path, OndImage *out, OndError *err)
{
    PngSource source = {0};
    char *bytes;
    OndStatus status = ond_file_read_all(path, LARGEST, &bytes, &source.size, err);
    if (status != OND_OK) return status;
    source.bytes = bytes;
    OndImage image = {0};
    status = decode(path, &source, &image, err);
    ond_free(bytes);
    if (status != OND_OK) {
        ond_image_free(&image);
        return status;
    }
    ond_image_free(out);
    *out = image;
    return OND_OK;
}
