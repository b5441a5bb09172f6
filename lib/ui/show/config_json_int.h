/* config_json_int.h - what the files of config_json share */
#ifndef TFPIPE_UI_CONFIG_JSON_INT_H
#define TFPIPE_UI_CONFIG_JSON_INT_H

#include "ui/show/show.h"

struct config_providers {
	struct map entries; /* key -> struct provider_entry * */
};

#endif
