/// Not compiled: an interface that includes what it should import, for layers.cmake to notice.
module;
#include <vector>
export module octet.graph:including;
